from verl import run

run("sft_trainer_ray")
