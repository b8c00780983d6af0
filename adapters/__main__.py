"""``python -m adapters`` is the program ``sobremesa``."""

from adapters.cli import main

main()
