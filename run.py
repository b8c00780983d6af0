"""Starts Sobremesa from a checkout: brings .venv up to date, then runs the program or the checks.

Imports only the standard library. An older Python must be able to parse it, to print that it is too old.
"""

import contextlib
import hashlib
import io
import os
import sys
import sysconfig
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

TOO_OLD = (
    "Sobremesa needs Python 3.11 or newer, and this is Python {}.{}. "
    "Start it with a newer one, for example: python3.11 run.py play"
)
NO_VENV = (
    "This Python ({python}) could not make a virtual environment in {venv}. "
    "On Debian and Ubuntu: apt install python3-venv python3-pip. Then start run.py again."
)
NO_PIP = (
    "This Python ({python}) has no pip, which run.py needs once to fetch Sobremesa's libraries. "
    "On Debian and Ubuntu: apt install python3-pip python3-venv. On Fedora: dnf install python3-pip. "
    "Elsewhere: python3 -m ensurepip. Then start run.py again."
)
NO_LIBRARIES = (
    "Sobremesa's libraries could not be installed; the lines above say why. Set-up needs the network once "
    "(pip's own settings for proxies and mirrors count). Nothing is lost: start run.py again when it is back."
)
NO_SET_UP = "Sobremesa could not be set up in {root}: {error}"
SETTING_UP = "Setting up Sobremesa's libraries in {venv} …"
DONE = "… done in {seconds} s."
WAITING = "Another run.py is setting up this checkout; waiting for it …"
NO_UV = "uv did not work here; trying pip, which takes longer …"

SPANISH = {
    TOO_OLD: "Sobremesa necesita Python 3.11 o posterior, y este es Python {}.{}. "
    "Usa uno más nuevo, por ejemplo: python3.11 run.py play",
    NO_VENV: "Este Python ({python}) no ha podido crear un entorno virtual en {venv}. "
    "En Debian y Ubuntu: apt install python3-venv python3-pip. Después, vuelve a iniciar run.py.",
    NO_PIP: "Este Python ({python}) no tiene pip, que run.py necesita una vez para instalar las bibliotecas "
    "de Sobremesa. En Debian y Ubuntu: apt install python3-pip python3-venv. En Fedora: dnf install "
    "python3-pip. En otros sistemas: python3 -m ensurepip. Después, vuelve a iniciar run.py.",
    NO_LIBRARIES: "No se han podido instalar las bibliotecas de Sobremesa; las líneas anteriores dicen por "
    "qué. La primera vez hace falta la red (cuentan los ajustes de pip para proxies y espejos). No se pierde "
    "nada: cuando haya red, vuelve a iniciar run.py.",
    NO_SET_UP: "No se ha podido preparar Sobremesa en {root}: {error}",
    SETTING_UP: "Instalando las bibliotecas de Sobremesa en {venv} …",
    DONE: "… listo en {seconds} s.",
    WAITING: "Otro run.py está preparando esta copia; esperando a que termine …",
    NO_UV: "uv no ha funcionado aquí; probando con pip, que tarda más …",
}


def said(sentence: str, *args: object, **values: object) -> str:
    """Returns a sentence in Spanish if the user's environment says so, else in English."""
    chosen = map(os.environ.get, ("SOBREMESA_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    is_spanish = (next(filter(None, chosen), None) or "")[:2] == "es"
    return (SPANISH[sentence] if is_spanish else sentence).format(*args, **values)


FLOOR = (3, 11)
if sys.version_info < FLOOR:
    sys.exit(said(TOO_OLD, *sys.version_info))

ROOT = Path(__file__).resolve().parent
UV_LOCK = "requirements-uv.lock"
PLAY_LOCK = "requirements.lock"
TEST_LOCK = "requirements-dev.lock"
STANDARD_ERROR = 2

CHECKS = (
    ("ruff check", ("-m", "ruff", "check")),
    ("ruff format", ("-m", "ruff", "format", "--check")),
    ("mypy", ("-m", "mypy")),
    (
        "lint-imports",
        ("-c", "from importlinter.cli import lint_imports_command as lint; lint()", "--no-logo"),
    ),
)
PYTEST = ("-m", "pytest")
WHOLE_SUITE = (*PYTEST, "-n", "auto", "--dist", "worksteal")


class SetUpError(Exception):
    """Raised if .venv or its libraries cannot be set up; its message says what the user can do."""


def main(words: list[str]) -> int:
    """Installs the libraries that a command needs, runs it and returns the exit code.

    ``test`` runs the checks. On POSIX, any other command replaces this process and does not return.
    """
    testing = words[:1] == ["test"]
    try:
        set_up(ROOT, TEST_LOCK if testing else PLAY_LOCK)
    except SetUpError as error:
        tell(str(error))
        return 1
    except OSError as error:
        tell(said(NO_SET_UP, root=ROOT, error=error))
        return 1
    return check(ROOT, words[1:]) if testing else play(ROOT, words)


def play(root: Path, words: Sequence[str]) -> int:
    """Runs the command line program: on POSIX in place of this process, elsewhere as a child."""
    command = program(root, words)
    if os.name == "posix":
        os.execve(command[0], command, environment(root))
    return run_to_end(command, environment(root))


def program(root: Path, words: Sequence[str]) -> list[str]:
    """Returns the command that starts the program with these arguments."""
    # -P keeps files in the current folder from being imported in place of libraries.
    return [str(venv_python(root)), "-P", "-m", "adapters", *words]


def environment(root: Path) -> dict[str, str]:
    """Returns this process's environment with the checkout first on PYTHONPATH.

    SOBREMESA_COMMAND is how help texts name the command: Python, and the path of run.py as the user typed it.
    """
    path = os.environ.get("PYTHONPATH")
    return {
        **os.environ,
        "PYTHONPATH": f"{root}{os.pathsep}{path}" if path else str(root),
        "SOBREMESA_COMMAND": f"{'py' if os.name == 'nt' else 'python3'} {sys.argv[0]}",
    }


def run_to_end(command: Sequence[str], env: dict[str, str]) -> int:
    """Runs a command and returns its exit code; Ctrl-C reaches the command, which decides what to do."""
    import subprocess  # slow to import, and not needed to play on POSIX once .venv is ready

    with subprocess.Popen(command, env=env) as child:
        while True:
            with contextlib.suppress(KeyboardInterrupt):
                return child.wait()


def check(root: Path, arguments: Sequence[str]) -> int:
    """Runs every check and then pytest, or only pytest with the given arguments; returns the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # On Windows, the encoding of a redirected output may lack the dashes of the headings.
        sys.stdout.reconfigure(errors="replace")
    if arguments:
        return python(root, PYTEST, *arguments)
    failed = [name for name, command in CHECKS if not passes(root, name, command)]
    print("── pytest", flush=True)
    code = python(root, WHOLE_SUITE)
    # Nothing is printed after pytest's summary unless a check has failed.
    if failed:
        print(f"failed before pytest: {', '.join(failed)}", flush=True)
    return code or bool(failed)


def passes(root: Path, name: str, command: Sequence[str]) -> bool:
    """Runs one check, prints its name and its outcome, and returns whether it passed."""
    print(f"── {name}", flush=True)
    start = time.monotonic()
    code = python(root, command)
    outcome = f"failed, exit code {code}" if code else "passed"
    print(f"── {name}: {outcome} ({time.monotonic() - start:.1f} s)\n", flush=True)
    return code == 0


def python(root: Path, command: Sequence[str], *arguments: str) -> int:
    """Runs the Python of .venv in the checkout's root and returns the exit code."""
    import subprocess

    line = [str(venv_python(root)), "-P", *command, *arguments]
    return subprocess.call(line, cwd=root, env=environment(root))


def set_up(root: Path, lock: str) -> None:
    """Installs the libraries of a lock file into .venv; does nothing if they are installed already."""
    if ready(root, lock):
        return
    with alone(root):
        # Another run.py may have installed them while this one waited.
        if not ready(root, lock):
            make(root, lock)


def make(root: Path, lock: str) -> None:
    """Installs the libraries of a lock file into .venv.

    If `read_stamp` finds no valid stamp, .venv is created again first.
    """
    tell(said(SETTING_UP, venv=root / ".venv"))
    start = time.monotonic()
    whole = bool(read_stamp(root))
    # If this is interrupted, there is no stamp, and the next run.py creates .venv again.
    stamp_file(root).unlink(missing_ok=True)
    if not whole:
        make_venv(root)
    install(root, lock)
    write_stamp(root, (PLAY_LOCK, TEST_LOCK) if lock == TEST_LOCK else (PLAY_LOCK,))
    tell(said(DONE, seconds=round(time.monotonic() - start)))


def venv_python(root: Path) -> Path:
    """Returns the path of .venv's Python, whether or not it exists."""
    return root / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def stamp_file(root: Path) -> Path:
    """Returns the path of the stamp, the file that names .venv's Python and the locks it satisfies."""
    return root / ".venv" / "sobremesa-stamp"


def ready(root: Path, lock: str) -> bool:
    """Returns whether .venv is complete and satisfies this version of a lock file."""
    return lock_line(root, lock) in read_stamp(root)


def read_stamp(root: Path) -> list[str]:
    """Returns the stamp's lines; none if .venv is missing or incomplete, or its Python is not as recorded."""
    try:
        lines = stamp_file(root).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []
    # The Python that .venv links to may have been removed since; exists() follows the link.
    return lines if lines[:1] == [python_line(root)] and venv_python(root).exists() else []


def write_stamp(root: Path, locks: Sequence[str]) -> None:
    """Writes the stamp atomically; it says that .venv is complete and satisfies these locks."""
    lines = [python_line(root), *(lock_line(root, lock) for lock in locks)]
    draft = stamp_file(root).with_suffix(".new")
    draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
    draft.replace(stamp_file(root))


def python_line(root: Path) -> str:
    """Returns the stamp's first line: the kind of this Python, and the path that .venv's Python links to."""
    kind = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')} {sysconfig.get_platform()}"
    return f"{kind} {os.path.realpath(venv_python(root))}"


def lock_line(root: Path, lock: str) -> str:
    """Returns the stamp's line for a lock file: its name and the SHA-256 of its contents."""
    return f"{lock} {hashlib.sha256((root / lock).read_bytes()).hexdigest()}"


@contextlib.contextmanager
def alone(root: Path) -> Iterator[None]:
    """Holds a lock, so that one run.py at a time changes .venv; the system frees it if this one is killed."""
    # The lock is beside .venv, since .venv itself may be removed while the lock is held.
    with (root / ".venv.lock").open("w") as file:
        if not take(file.fileno()):
            tell(said(WAITING))
            while not take(file.fileno()):
                time.sleep(0.1)
        yield


if sys.platform == "win32":
    import msvcrt

    def take(file: int) -> bool:
        """Takes the lock if it is free."""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def take(file: int) -> bool:
        """Takes the lock if it is free."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def make_venv(root: Path) -> None:
    """Creates an empty .venv without pip, replacing an existing one; raises `SetUpError`."""
    venv = root / ".venv"
    if not succeeds(root, [sys.executable, "-m", "venv", "--without-pip", "--clear", str(venv)]):
        raise SetUpError(said(NO_VENV, python=sys.executable, venv=venv))


def install(root: Path, lock: str) -> None:
    """Installs a lock file with uv, or with pip if uv cannot be fetched or fails; raises `SetUpError`."""
    pip = find_pip(root)
    target = str(venv_python(root))
    wanted = ["--require-hashes", "--only-binary", ":all:", "--requirement", str(root / lock)]
    if install_with_uv(root, pip, target, wanted):
        return
    # uv does not read pip.conf, so it fails on a machine whose mirror is set there.
    tell(said(NO_UV))
    if not succeeds(root, [*pip, "--python", target, "install", "-qq", *wanted]):
        raise SetUpError(said(NO_LIBRARIES))


def find_pip(root: Path) -> list[str]:
    """Returns the command of the first pip found: this Python's, its base's, or one installed into .venv.

    Raises `SetUpError` if there is none.
    """
    # If this Python is a virtual environment without pip, such as .venv, its base may have pip.
    base = getattr(sys, "_base_executable", None) or sys.executable
    for candidate in dict.fromkeys((sys.executable, base)):
        if succeeds(root, [candidate, "-c", "import pip"], quiet=True):
            return [candidate, "-m", "pip"]
    own = str(venv_python(root))
    if succeeds(root, [own, "-m", "ensurepip"], quiet=True):
        return [own, "-m", "pip"]
    raise SetUpError(said(NO_PIP, python=sys.executable))


def install_with_uv(root: Path, pip: Sequence[str], target: str, wanted: Sequence[str]) -> bool:
    """Fetches the pinned uv unless present, installs with it, and returns whether that succeeded.

    uv decides what else is installed, so pip refuses it unless its hash is in `UV_LOCK`.
    """
    tools, uv = root / ".venv" / "tools", root / UV_LOCK
    if not (tools / f"{pinned(uv)}.dist-info").is_dir():
        # With --target, pip installs even where Debian marks its Python as externally managed.
        fetch = [*pip, "install", "-qq", "--upgrade", "--no-deps", "--target", str(tools)]
        hashed = ["--require-hashes", "--only-binary", ":all:", "--requirement", str(uv)]
        if not succeeds(root, [*fetch, *hashed]):
            return False
    command = [target, "-m", "uv", "pip", "install", "-q", "--python", target, *wanted]
    return succeeds(root, command, PYTHONPATH=str(tools))


def pinned(lock: Path) -> str:
    """Returns the name and version of the first package that a lock pins, such as ``uv-1.2.3``."""
    return lock.read_text(encoding="utf-8").split(maxsplit=1)[0].replace("==", "-")


def succeeds(root: Path, command: Sequence[str], *, quiet: bool = False, **variables: str) -> bool:
    """Runs a step of the set-up and returns whether it succeeded.

    Its output goes to standard error, or nowhere if ``quiet``.
    """
    import subprocess

    output = subprocess.DEVNULL if quiet else STANDARD_ERROR
    env = {**installers(os.environ), **variables}
    done = subprocess.run(
        command, cwd=root, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False
    )
    return done.returncode == 0


def installers(environ: Mapping[str, str]) -> dict[str, str]:
    """Returns the environment for pip and uv.

    It overrides the user's defaults for pip that would break the set-up, and gives uv the index and the
    certificate set for pip.
    """
    env = {**environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"}
    # The user's defaults for pip could break this: --user, for example, clashes with --target.
    env |= {"PIP_NO_INPUT": "1", "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
    # uv's built-in list of certificate authorities lacks that of a company's or a school's proxy.
    env.setdefault("UV_SYSTEM_CERTS", "true")
    for theirs, ours in (("PIP_INDEX_URL", "UV_DEFAULT_INDEX"), ("PIP_CERT", "SSL_CERT_FILE")):
        if theirs in environ:
            env.setdefault(ours, environ[theirs])
    return env


def tell(line: str) -> None:
    """Prints a line on standard error, since standard output belongs to the program."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
