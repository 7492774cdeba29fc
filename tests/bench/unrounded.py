"""Trees whose joint launches start in the middle of a wave (ParallelFusion, section 4.3): what rounding offsets to whole
waves is worth. Only for measuring; a tree that burin writes never does so.

The text of a tree with one joint launch is changed: `shift` work-items before the first member do nothing, so that the
wave at each boundary has work-items of two members. Members that wait at barriers belong to work-groups as a whole and
are refused.
"""
import os
import re


def shift_offsets(folder, name, shift):
    """False where the tree has no joint launch, several, or one with barriers."""
    program_path = os.path.join(folder, "src", name + "_program.cpp")
    host_path = os.path.join(folder, "src", name + ".cpp")
    with open(program_path, encoding="utf-8") as file:
        program = file.read()
    with open(host_path, encoding="utf-8") as file:
        host = file.read()
    launches = re.findall(r"kernels::joint_\w+,\n\s*\{(.*), (\d+)\},", host)
    entry = "const int group = (int)get_group_id(0);"
    if len(launches) != 1 or program.count(entry) != 1:
        return False
    total, items = launches[0]
    start = program.index("constexpr char joint_")
    end = program.index('";\n', start)
    text = program[start:end]
    if "barrier(" in text:
        return False
    text = text.replace("const int group) {", "const int group, const int lane) {")
    text = re.sub(r"\bgroup( - \w+)?\);", r"group\1, lane);", text)
    text = text.replace("(int)get_local_id(0)", "lane")
    text = text.replace(entry, f"const int flat = (int)get_global_id(0) - {shift}; "
                               f"const int group = flat < 0 ? -1 : flat / {items}; const int lane = flat % {items};")
    with open(program_path, "w", encoding="utf-8") as file:
        file.write(program[:start] + text + program[end:])
    with open(host_path, "w", encoding="utf-8") as file:
        file.write(host.replace(f"{{{total}, {items}}}", f"{{{total} + {items}, {items}}}"))
    return True
