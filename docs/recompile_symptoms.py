"""A symptom, as one sees it who does not know the cause yet, for every program of tests/tools/cards, by its name there.

The order is that of `recompiles.md`; a test finds a program without a symptom.
"""

from __future__ import annotations

SYMPTOMS: dict[str, dict[str, str]] = {
    "It compiles again, and only a number is another": {
        "int_then_float": "a rate is `1` in one call and `0.5` in another",
        "numbers_of_five_types": "a number comes as int, float, bool and NumPy's scalars in turn",
        "numpy_float_beside_float32": "a number is an `np.float32` like the array's elements",
        "numpy_int": "a number is an `np.int64`, and was an int before",
        "flag_of_numpy": "a flag is True in one call and computed by NumPy in another",
        "default_value": "some calls pass a number, and others leave the default",
        "global_number": "a global number was set anew",
        "method": "a method is called with another number",
        "attribute": "an attribute is set to another number",
        "attribute_of_a_class": "an attribute of a class is set to another number",
        "value_of_a_dict": 'a value of a dict is another number: `config["lr"]`',
        "value_of_a_dict_that_is_passed": "a dict is passed in which a number is another",
        "value_of_a_dict_of_a_model": 'a dict of an object holds another number: `self.options["lr"]`',
        "element_of_a_list": "an element of a list is another number",
        "jitted_under_another_name": "the function has no decorator: `step = gl.jit(plain_step)`",
        "value_that_decides": "every value of an int compiles again",
        "condition": "a threshold came to the other side of a condition",
    },
    "It compiles again for other data": {
        "float64_then_float32": "arrays are float32 in some calls",
        "int32_then_float64": "arrays of integers come first, floats later",
        "int32_then_int64": "arrays are int32 in some calls and int64 in others",
        "three_dtypes": "each dtype compiles again",
        "float16": "arrays are float16 in some calls",
        "two_arguments_at_once": "two arrays change their dtype at once",
        "size_and_dtype": "size and dtype change at once",
        "tensor_dtype": "tensors are float64 in some calls",
        "small_ints": "arrays are `uint8` in some calls",
    },
    "It compiles again for data of the same shape and dtype": {
        "transposed": "an array is transposed",
        "every_other_column": "an array is a slice of another, with a step",
        "backwards": "an array is reversed",
        "tensor_transposed": "a tensor is transposed",
        "written_array": "an array is transposed, and the function writes into it",
        "shared_memory": "one array is passed twice",
    },
    "It compiles again for another size": {
        "two_sizes": "the last batch is shorter than the others",
        "two_sizes_with_options": "the last batch is shorter, and `gl.jit` has options already",
        "history_that_grows": "a list of arrays grows from call to call",
    },
    "It compiles again for another kind of object": {
        "list_then_tuple": "a list in one call is a tuple in another",
        "array_then_list": "an array in one call is a list in another",
        "optional_argument": "an argument is None in some calls",
        "order_of_keys": "a dict has the same keys in another order",
    },
    "A training step compiles again": {
        "made_by_the_step": "the second step of an optimizer compiles again",
    },
    "A graph breaks": {
        "branch_on_array": "at a condition on the values of an array",
        "branch_statement": "at an `if` statement with two arms",
        "early_return": "at a `return` in an `if` statement",
        "branch_over_lines": "at a condition in an expression of several lines",
        "write_in_a_branch": "at a branch on a tensor that writes in place",
        "write_over_lines": "at a branch on a tensor that writes in place, in several lines",
        "tensor_of_tensors": "at `gl.tensor([...])` of tensors",
        "tensor_over_lines": "at `gl.tensor([...])` of tensors, in several lines",
        "data_set": "at an assignment to `.data`",
        "data_over_lines": "at an assignment to `.data`, in several lines",
        "long_loop": "at a long loop over names",
        "deep_recursion": "at a deep recursion",
        "many_facts": "at a function that looks at very many values",
        "asked_for": "at a `gl.graph_break()` that was left in",
        "asked_for_over_lines": "at a `gl.graph_break(...)` of several lines",
    },
}  # fmt: skip
