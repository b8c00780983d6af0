"""What each panel shows and wants to show: in memory, stored at once or a little later."""
