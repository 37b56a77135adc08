"""BFCL's own decoders and checker over a file of cases: CASES VERDICTS."""

import json
import sys
import types

# Its table of models loads the SDK of every vendor, some of them for seconds; the checker looks one flag up in it.
table = types.ModuleType("bfcl_eval.constants.model_config")
table.MODEL_CONFIG_MAPPING = {"m": types.SimpleNamespace(underscore_to_dot=False)}
sys.modules[table.__name__] = table

from bfcl_eval.constants.enums import Language, ReturnFormat  # noqa: E402
from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker  # noqa: E402
from bfcl_eval.model_handler.utils import default_decode_ast_prompting  # noqa: E402
from bfcl_eval.utils import is_function_calling_format_output  # noqa: E402


def verdict(case):
    language = case["language"].upper()
    try:
        calls = default_decode_ast_prompting(case["model_output_text"], ReturnFormat[language], False)
    except Exception:
        return {"valid": False, "error_type": "ast_decoder:decoder_failed"}
    if not is_function_calling_format_output(calls):
        return {"valid": False, "error_type": "ast_decoder:decoder_wrong_output_format"}
    checked = ast_checker(
        case["function"], calls, case["possible_answer"], Language[language], case["category"], "m"
    )
    return {"valid": checked["valid"], "error_type": None if checked["valid"] else checked["error_type"]}


with open(sys.argv[1], encoding="utf8") as cases, open(sys.argv[2], "w", encoding="utf8") as verdicts:
    for line in cases:
        case = json.loads(line)
        verdicts.write(json.dumps({"id": case["id"], **verdict(case)}, separators=(",", ":")) + "\n")
