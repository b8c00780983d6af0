"""What platforms and hosting share: an HTTP server, listening sockets, names of failures, reconnecting."""
