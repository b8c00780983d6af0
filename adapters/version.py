"""The version of Sobremesa, which the build and ``--version`` read from here."""

VERSION = "0.1.0"
