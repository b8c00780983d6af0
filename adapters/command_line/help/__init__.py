"""What ``--help`` and refused arguments say, in the language of the user."""
