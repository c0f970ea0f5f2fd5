"""``python -m bcnet``."""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # while the program is loaded, Ctrl-C ends it without a word

from bcnet.cli import main

main()
