"""The commands of `sobremesa` by subject; each imports what takes long only when it runs."""
