"""Asks for contexts with vectors from a service that others wrote: the server of llama.cpp,
with a tiny model of random weights.

Gets the server first, by the lock file beside it, into a folder of the user's cache that is
named after it. Usage: python3 tests/services/run.py PATH-OF-INFINILOOM
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import model  # noqa: E402

HERE = Path(__file__).parent.resolve()
LOCK = HERE / "requirements.txt"
SERVE = """
import sys, time
import xllamacpp as llama
options = llama.CommonParams()
options.model.path, options.hostnames, options.port = sys.argv[1], ["127.0.0.1"], 0
options.n_ctx = options.n_batch = options.n_ubatch = 512
options.cpuparams.n_threads = options.cpuparams_batch.n_threads = 1
options.warmup, options.embedding = False, True
options.pooling_type = llama.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
server = llama.Server(options)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def packages():
    """The folder with the server; made when it is not there."""
    mark = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "infiniloom-services" / f"{mark}-{sys.version_info.major}.{sys.version_info.minor}"
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder.parent))
    pip = ["-m", "pip", "install", "--quiet", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]
    pip += ["--only-binary", ":all:", "--require-hashes", "--no-deps", "--target", str(made), "-r", str(LOCK)]
    if subprocess.run([sys.executable, *pip]).returncode != 0:
        shutil.rmtree(made)
        sys.exit("error: pip cannot fetch the server (its message is above); the suite needs the registry of Python once")
    try:
        made.rename(folder)
    except OSError:  # Somebody else was faster.
        shutil.rmtree(made)
    return folder


class Service:
    """The server, for as long as it is needed."""

    def __init__(self, folder, weights):
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        command = [sys.executable, "-c", SERVE, str(weights)]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.address = self.process.stdout.readline().strip()

    def stop(self):
        self.process.kill()
        self.process.wait()


def shop(root):
    (root / "src").mkdir(parents=True)
    for at in range(20):
        (root / f"src/part{at}.py").write_text(f"def price{at}(amount):\n    return amount * {at}\n")
    # More than the model takes at once.
    long = "".join(f"    total = total + weigh(grain, {at})  # stone {at}\n" for at in range(120))
    (root / "src/mill.py").write_text(f"def grind_grain(grain):\n    total = 0\n{long}    return total\n")


def asked(binary, home, root, settings):
    config = home / ".config/infiniloom"
    config.mkdir(parents=True, exist_ok=True)
    (config / "infiniloom.toml").write_text(settings)
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    command = [binary, "context", "price of grain", "--format", "json", "--budget", "4k"]
    command += ["--strategy", "lexical,embedding_similarity", str(root)]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def check(binary, folder, place):
    weights = place / "tiny.gguf"
    model.write(weights)
    root, home = place / "shop", place / "home"
    shop(root)
    service = Service(folder, weights)
    settings = f'[embedding]\nprovider = "openai"\nmodel = "tiny"\naddress = "{service.address}/v1"\n'
    try:
        first = asked(binary, home, root, settings)
        assert first.returncode == 0, first.stderr
        told = json.loads(first.stdout)
        reasons = {reason["signal"] for piece in told["pieces"] for reason in piece["reasons"]}
        assert "semantic" in reasons, reasons
        assert "src/mill.py" in told["files"], told["files"]
        again = asked(binary, home, root, settings)
        assert again.stdout == first.stdout, "what the service said was not remembered"
        wrong = asked(binary, home, root, settings.replace("/v1", "/v7"))
        assert wrong.returncode != 0 and "404" in wrong.stderr, wrong.stderr
    finally:
        service.stop()
    gone = asked(binary, home, root, settings)
    assert gone.returncode != 0 and "127.0.0.1" in gone.stderr, gone.stderr
    print("context with vectors of llama.cpp's server: asked, asked again, a wrong address, a server that is gone")
    print("test result: ok. 4 passed; 0 failed;")


def main():
    binary = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as place:
        check(binary, packages(), Path(place))


if __name__ == "__main__":
    main()
