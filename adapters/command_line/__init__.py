"""The program `sobremesa`: its commands by subject, and what they share."""
