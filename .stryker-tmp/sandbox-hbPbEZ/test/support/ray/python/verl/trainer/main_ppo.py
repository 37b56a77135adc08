from verl import run

run("main_ppo")
