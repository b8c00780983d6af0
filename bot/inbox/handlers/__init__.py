"""One module for each subject of commands and buttons: its handlers, which return the sender's reply."""
