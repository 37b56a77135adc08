"""Calls a reward file as verl's reward manager does: by keyword, for every response of a batch."""
import importlib.util
import json
import sys

path, name = sys.argv[1:]
spec = importlib.util.spec_from_file_location("custom_module", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
score = getattr(module, name)
for line in sys.stdin:
    result = score(**json.loads(line))
    print(json.dumps(result if isinstance(result, dict) else {"score": result}))
