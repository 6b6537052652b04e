"""How many threads a call may use."""
import multiprocessing
import os
import threading

from alidade import _core

_LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
MOST = 256


def _limit():
    """What the environment allows, which joblib sets for its workers; 0: nothing is said."""
    for name in _LIMITS:
        text = os.environ.get(name, "")
        if text.isdigit() and int(text) > 0:
            return int(text)
    return 0


def listener():
    """The thread of this process that Ctrl-C is for, or 0: workers of a pool are ended by the process that has them."""
    name = multiprocessing.current_process().name
    if name.startswith("LokyProcess") or "PoolWorker" in name:
        return 0
    return threading.main_thread().ident


def threads(n_jobs):
    """n_jobs as scikit-learn words it; -1 is the library's rule, which knows of affinity, quotas of control groups and
    OMP_NUM_THREADS. None: the same in the main thread of a program; one in other threads and in child processes, which
    share the machine with their siblings."""
    if n_jobs is None:
        if threading.current_thread() is not threading.main_thread():
            return 1
        limit = _limit()
        return limit or int(multiprocessing.parent_process() is not None)
    try:
        wanted = n_jobs.__index__()
    except AttributeError:
        raise TypeError(f"`n_jobs` is a whole number or None, not {n_jobs!r}") from None
    if wanted == 0:
        raise ValueError("`n_jobs` is a number of threads, -1 for all there are, or None; 0 has no meaning")
    if wanted < 0:
        wanted = max(1, _core.processors() + 1 + wanted)
    return min(wanted, MOST)
