"""The build backend of the Python package (PEP 517), which needs nothing but Python, a C compiler and the library.

The library is the one of ALIDADE_BUILD, a folder that CMake built it in (it has alidade.pc and libalidade.a); else
build/ of this tree if it is there; else it is built here by CMake, with the options of ALIDADE_CMAKE. The extension is
linked with libalidade.a and with the flags that alidade.pc gives for it, so the wheel carries the library, and OpenBLAS,
zlib and jansson come from the machine."""
import base64
import glob
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile

here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TAG = "cp311-abi3"
LIBRARY = ("CMakeLists.txt", "LICENSE", "CHANGELOG.md", "cmake", "include", "src", "cli", "bench/neighbours.c",
           "bench/folds.c")
NOT_OURS = re.compile(r"(^|/)(__pycache__|\.[^/]*)(/|$)|\.pyc$|\.so$")


def root():
    """The tree with the library's sources: above this folder, or inside a source distribution."""
    inside = os.path.join(here, "library")
    return inside if os.path.isdir(inside) else os.path.dirname(here)


def version():
    with open(os.path.join(root(), "include", "alidade", "version.h"), encoding="utf-8") as file:
        return re.search(r'ALD_VERSION "([^"]+)"', file.read()).group(1)


def platform():
    return re.sub(r"[-.]", "_", sysconfig.get_platform())


def run(*command, **options):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode:
        raise SystemExit(f"{done.stdout}\nalidade: '{shlex.join(command)}' failed")


def built_library(scratch):
    """The folder with libalidade.a and alidade.pc."""
    for folder in (os.environ.get("ALIDADE_BUILD"), os.path.join(root(), "build")):
        if folder and all(os.path.exists(os.path.join(folder, name)) for name in ("libalidade.a", "alidade.pc")):
            return folder
    if os.environ.get("ALIDADE_BUILD"):
        raise SystemExit(f"alidade: {os.environ['ALIDADE_BUILD']} has no libalidade.a and alidade.pc")
    if not shutil.which("cmake"):
        raise SystemExit("alidade: the library is not built, and there is no cmake to build it; on Debian: apt-get install "
                         "cmake pkg-config libopenblas-dev zlib1g-dev libjansson-dev")
    run("cmake", "-S", root(), "-B", scratch, "-DCMAKE_BUILD_TYPE=Release",
        *shlex.split(os.environ.get("ALIDADE_CMAKE", "")))
    run("cmake", "--build", scratch, "--parallel", str(os.cpu_count() or 1), "--target", "alidade-static")
    return scratch


def link_flags(folder):
    """What a link with libalidade.a needs, from alidade.pc."""
    with open(os.path.join(folder, "alidade.pc"), encoding="utf-8") as file:
        return shlex.split(re.search(r"^Libs\.private:(.*)$", file.read(), re.M).group(1))


def hardening():
    """As cmake/flags.cmake compiles the library."""
    flags = ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong"]
    if os.uname().sysname == "Linux":
        flags += ["-Wl,-z,relro", "-Wl,-z,now", "-Wl,-z,noexecstack", "-fstack-clash-protection"]
        flags += ["-fcf-protection"] if os.uname().machine in ("x86_64", "i686") else []
    return flags


def build_extension(folder, target):
    include = sysconfig.get_path("include")
    if not os.path.exists(os.path.join(include, "Python.h")):
        raise SystemExit(f"alidade: there is no {include}/Python.h; on Debian: apt-get install python3-dev")
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = ["-O2", "-std=c11", "-fPIC", "-shared", "-fvisibility=hidden", *hardening(), "-D_POSIX_C_SOURCE=200809L",
             "-DPy_LIMITED_API=0x030B0000", f"-I{include}", f"-I{root()}/include", f"-I{here}/src",
             *shlex.split(os.environ.get("CFLAGS", ""))]
    run(*compiler, *flags, *sorted(glob.glob(os.path.join(here, "src", "**", "*.c"), recursive=True)),
        os.path.join(folder, "libalidade.a"), *link_flags(folder),
        f"-Wl,--version-script={os.path.join(here, 'backend', 'exports.map')}", "-Wl,--as-needed", "-o", target)


def package_files():
    """(name in the wheel, path) of the Python files."""
    for folder, _, names in sorted(os.walk(os.path.join(here, "alidade"))):
        for name in sorted(names):
            path = os.path.join(folder, name)
            inside = os.path.relpath(path, here)
            if not NOT_OURS.search(inside):
                yield inside, path


def project():
    with open(os.path.join(here, "pyproject.toml"), "rb") as file:
        return tomllib.load(file)["project"]


def metadata():
    about = project()
    lines = ["Metadata-Version: 2.1", "Name: alidade", f"Version: {version()}", f"Summary: {about['description']}",
             f"Requires-Python: {about['requires-python']}"]
    lines += [f"Requires-Dist: {name}" for name in about["dependencies"]]
    for extra, names in about["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {name}; extra == "{extra}"' for name in names]
    return "\n".join(lines) + "\n"


def info_files():
    """name -> bytes of the dist-info folder, but for its list of files."""
    folder = f"alidade-{version()}.dist-info"
    tag = f"{TAG}-{platform()}"
    with open(os.path.join(root(), "LICENSE"), "rb") as file:
        terms = file.read()
    wheel = f"Wheel-Version: 1.0\nGenerator: alidade_build\nRoot-Is-Purelib: false\nTag: {tag}\n"
    return folder, {"METADATA": metadata().encode(), "WHEEL": wheel.encode(), "LICENSE": terms}


def write_wheel(path, files):
    """files: name -> bytes. The same files give the same wheel."""
    folder, info = info_files()
    files.update({f"{folder}/{name}": data for name, data in info.items()})
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{folder}/RECORD"] = (record + f"{folder}/RECORD,,\n").encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"alidade-{version()}-{TAG}-{platform()}.whl"
    with tempfile.TemporaryDirectory() as scratch:
        extension = os.path.join(scratch, "_core.abi3.so")
        build_extension(built_library(os.path.join(scratch, "build")), extension)
        files = {inside: read(path) for inside, path in package_files()}
        files["alidade/_core.abi3.so"] = read(extension)
        write_wheel(os.path.join(wheel_directory, name), files)
    return name


def source_files():
    """(name in the distribution, path): this folder, and the library's sources under library/."""
    for name in ("pyproject.toml", "backend", "src", "alidade", "tests"):
        yield from walked(os.path.join(here, name), name)
    for name in LIBRARY:
        yield from walked(os.path.join(root(), name), os.path.join("library", name))


def walked(path, name):
    if os.path.isfile(path):
        yield name, path
    for folder, _, names in sorted(os.walk(path)):
        for file in sorted(names):
            inside = os.path.join(name, os.path.relpath(os.path.join(folder, file), path))
            if not NOT_OURS.search(inside):
                yield inside, os.path.join(folder, file)


def build_sdist(sdist_directory, config_settings=None):
    stem = f"alidade-{version()}"
    with tarfile.open(os.path.join(sdist_directory, f"{stem}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name, path in source_files():
            archive.add(path, f"{stem}/{name}", recursive=False)
        about = metadata().encode()
        entry = tarfile.TarInfo(f"{stem}/PKG-INFO")
        entry.size = len(about)
        archive.addfile(entry, io.BytesIO(about))
    return f"{stem}.tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
