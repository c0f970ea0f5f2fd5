"""The table: where games, fairness and the log meet. `bcnet.table.course` is the place to begin reading."""
