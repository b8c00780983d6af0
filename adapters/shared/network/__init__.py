"""What platforms share about the network: a server, its sockets, failures, and connecting again."""
