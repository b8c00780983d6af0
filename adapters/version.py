"""The version of Sobremesa; the build, ``--version`` and nothing else read it from here."""

VERSION = "0.1.0"
