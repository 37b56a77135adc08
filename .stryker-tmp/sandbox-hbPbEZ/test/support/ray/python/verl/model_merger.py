from verl import run

run("model_merger")
