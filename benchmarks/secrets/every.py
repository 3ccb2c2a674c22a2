"""Every finding of detect-secrets: `python every.py FOLDER`, with the Python
that has it installed.

Its command keeps one finding for each secret and file. This calls the same
scan with the same plugins and filters, verification off, and keeps all. It
prints no secret.
"""

import json
import multiprocessing
import os
import sys
from pathlib import Path

from detect_secrets.core import scan
from detect_secrets.settings import default_settings

VERIFYING = "detect_secrets.filters.common.is_ignored_due_to_verification_policies"


def findings(path: str) -> list[dict]:
    with default_settings() as settings:
        settings.disable_filters(VERIFYING)
        return [{"path": path, "line": one.line_number} for one in scan.scan_file(path)]


def main(folder: str) -> None:
    files = [str(Path(above, name)) for above, _, names in os.walk(folder) for name in names]
    with multiprocessing.Pool() as pool:
        for some in pool.imap_unordered(findings, files, chunksize=8):
            for one in some:
                print(json.dumps(one))


if __name__ == "__main__":
    main(sys.argv[1])
