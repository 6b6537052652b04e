"""What notebooks show of an estimator or a model: its name, and a table of two columns."""
import html


def facts(title, pairs):
    """A heading and rows of a name and a value; values that are None or empty are left out."""
    rows = "".join(f"<tr><td style=\"text-align:left\">{html.escape(str(name))}</td>"
                   f"<td style=\"text-align:left\">{html.escape(str(value))}</td></tr>"
                   for name, value in pairs if value not in (None, ""))
    return f"<p><b>{html.escape(title)}</b></p>" + (f"<table><tbody>{rows}</tbody></table>" if rows else "")


def listed(names, most=5):
    """A few names in a line."""
    if not names:
        return None
    return ", ".join(map(str, names[:most])) + (f", ... ({len(names)})" if len(names) > most else "")


def of_model(core, title, more=()):
    """Facts of a model of the library behind those that are given."""
    import json

    from alidade import _core

    def names(key):
        text = _core.text(core, key)
        return listed(json.loads(text)) if text else None
    target = _core.text(core, "alidade.target")
    return facts(title, [*more, ("features", core.n_features), ("components", core.n_components),
                         ("target", None if target == "none" else target), ("classes", names("alidade.class_names")),
                         ("responses", names("alidade.response_names")),
                         ("predictor", _core.text(core, "alidade.predictor.kind"))])
