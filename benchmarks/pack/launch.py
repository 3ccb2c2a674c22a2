"""Starts one program, waits for it and reports what it cost:
`launch.py SECONDS REPORT COMMAND...`, where REPORT is an open file descriptor.

A program is charged with the memory of whoever starts it, so this one stays
small: it imports next to nothing and is run without the site packages.
"""

import os
import signal
import sys
import time


ORDERS = (signal.SIGALRM, signal.SIGTERM)


def main(limit: float, report: int, command: list[str]) -> None:
    stopped = False
    os.set_inheritable(report, False)
    # Until we can pass it on, an order to stop has to wait; not in the program.
    signal.pthread_sigmask(signal.SIG_BLOCK, ORDERS)
    start = time.perf_counter()
    # A group of its own, so that stopping it also stops what it started.
    group = os.posix_spawnp(command[0], command, os.environ, setpgroup=0, setsigmask=())

    def stop(number: int, _frame: object) -> None:
        nonlocal stopped
        stopped = number == signal.SIGALRM
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass  # It ended by itself in this very moment.

    for order in ORDERS:
        signal.signal(order, stop)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ORDERS)
    signal.setitimer(signal.ITIMER_REAL, limit)
    # The one call that gives the figures of this child: its time with that of
    # the children it waited for, and the peak of the largest among them.
    _, status, usage = os.wait4(group, 0)
    wall = time.perf_counter() - start
    cpu = usage.ru_utime + usage.ru_stime
    code = os.waitstatus_to_exitcode(status)
    os.write(report, f"{wall} {cpu} {usage.ru_maxrss} {code} {int(stopped)}".encode())


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
