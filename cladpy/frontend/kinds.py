"""libclang's numbers: kinds of nodes, kinds of types, operators."""

from __future__ import annotations

from enum import IntEnum


class CursorKind(IntEnum):
    """The kinds that the front end tells apart; values are libclang's."""

    STRUCT_DECL = 2
    UNION_DECL = 3
    CLASS_DECL = 4
    ENUM_DECL = 5
    FIELD_DECL = 6
    ENUM_CONSTANT_DECL = 7
    FUNCTION_DECL = 8
    VAR_DECL = 9
    PARM_DECL = 10
    TYPEDEF_DECL = 20
    CXX_METHOD = 21
    NAMESPACE = 22
    LINKAGE_SPEC = 23
    CONSTRUCTOR = 24
    DESTRUCTOR = 25
    CONVERSION_FUNCTION = 26
    TEMPLATE_TYPE_PARAMETER = 27
    NON_TYPE_TEMPLATE_PARAMETER = 28
    TEMPLATE_TEMPLATE_PARAMETER = 29
    FUNCTION_TEMPLATE = 30
    CLASS_TEMPLATE = 31
    NAMESPACE_ALIAS = 33
    USING_DIRECTIVE = 34
    USING_DECLARATION = 35
    TYPE_ALIAS_DECL = 36
    TYPE_REF = 43
    TEMPLATE_REF = 45
    NAMESPACE_REF = 46
    MEMBER_REF = 47
    OVERLOADED_DECL_REF = 49
    UNEXPOSED_EXPR = 100
    DECL_REF_EXPR = 101
    MEMBER_REF_EXPR = 102
    CALL_EXPR = 103
    INTEGER_LITERAL = 106
    FLOATING_LITERAL = 107
    STRING_LITERAL = 109
    CHARACTER_LITERAL = 110
    PAREN_EXPR = 111
    UNARY_OPERATOR = 112
    ARRAY_SUBSCRIPT_EXPR = 113
    BINARY_OPERATOR = 114
    COMPOUND_ASSIGNMENT_OPERATOR = 115
    CONDITIONAL_OPERATOR = 116
    CSTYLE_CAST_EXPR = 117
    COMPOUND_LITERAL_EXPR = 118
    INIT_LIST_EXPR = 119
    ADDR_LABEL_EXPR = 120
    STMT_EXPR = 121
    GENERIC_SELECTION_EXPR = 122
    STATIC_CAST_EXPR = 124
    DYNAMIC_CAST_EXPR = 125
    REINTERPRET_CAST_EXPR = 126
    CONST_CAST_EXPR = 127
    FUNCTIONAL_CAST_EXPR = 128
    TYPEID_EXPR = 129
    BOOL_LITERAL_EXPR = 130
    GNU_NULL_EXPR = 123  # what the macro NULL stands for
    NULLPTR_LITERAL_EXPR = 131
    THIS_EXPR = 132
    THROW_EXPR = 133
    NEW_EXPR = 134
    DELETE_EXPR = 135
    UNARY_EXPR = 136
    LAMBDA_EXPR = 144
    SIZEOF_PACK_EXPR = 143
    REQUIRES_EXPR = 154
    UNEXPOSED_STMT = 200
    LABEL_STMT = 201
    COMPOUND_STMT = 202
    CASE_STMT = 203
    DEFAULT_STMT = 204
    IF_STMT = 205
    SWITCH_STMT = 206
    WHILE_STMT = 207
    DO_STMT = 208
    FOR_STMT = 209
    GOTO_STMT = 210
    INDIRECT_GOTO_STMT = 211
    CONTINUE_STMT = 212
    BREAK_STMT = 213
    RETURN_STMT = 214
    ASM_STMT = 215
    CATCH_STMT = 223
    TRY_STMT = 224
    FOR_RANGE_STMT = 225
    NULL_STMT = 230
    DECL_STMT = 231
    BIT_CAST_EXPR = 280
    TRANSLATION_UNIT = 350
    CXX_FINAL_ATTR = 404
    ANNOTATE_ATTR = 406
    CUDA_CONSTANT_ATTR = 412
    CUDA_DEVICE_ATTR = 413
    CUDA_GLOBAL_ATTR = 414
    CUDA_HOST_ATTR = 415
    CUDA_SHARED_ATTR = 416
    MACRO_DEFINITION = 501
    STATIC_ASSERT = 602


class TypeKind(IntEnum):
    INVALID = 0
    UNEXPOSED = 1
    VOID = 2
    BOOL = 3
    CHAR_U = 4
    UCHAR = 5
    CHAR16 = 6
    CHAR32 = 7
    USHORT = 8
    UINT = 9
    ULONG = 10
    ULONGLONG = 11
    UINT128 = 12
    CHAR_S = 13
    SCHAR = 14
    WCHAR = 15
    SHORT = 16
    INT = 17
    LONG = 18
    LONGLONG = 19
    INT128 = 20
    FLOAT = 21
    DOUBLE = 22
    LONGDOUBLE = 23
    NULLPTR = 24
    DEPENDENT = 26
    FLOAT128 = 30
    HALF = 31
    FLOAT16 = 32
    BFLOAT16 = 39
    COMPLEX = 100
    POINTER = 101
    LVALUE_REFERENCE = 103
    RVALUE_REFERENCE = 104
    RECORD = 105
    ENUM = 106
    FUNCTION_NO_PROTO = 110
    FUNCTION_PROTO = 111
    CONSTANT_ARRAY = 112
    VECTOR = 113
    INCOMPLETE_ARRAY = 114
    VARIABLE_ARRAY = 115
    MEMBER_POINTER = 117


# libclang's numbers of operators, as spelled.
BINARY_OPERATORS = {
    3: "*", 4: "/", 5: "%", 6: "+", 7: "-", 8: "<<", 9: ">>", 11: "<", 12: ">", 13: "<=", 14: ">=", 15: "==",
    16: "!=", 17: "&", 18: "^", 19: "|", 20: "&&", 21: "||", 22: "=", 23: "*=", 24: "/=", 25: "%=", 26: "+=",
    27: "-=", 28: "<<=", 29: ">>=", 30: "&=", 31: "^=", 32: "|=", 33: ",",
}  # fmt: skip
UNARY_OPERATORS = {
    1: "x++", 2: "x--", 3: "++x", 4: "--x", 5: "&", 6: "*", 7: "+", 8: "-", 9: "~", 10: "!", 11: "__real",
    12: "__imag", 13: "__extension__", 14: "co_await",
}  # fmt: skip


def is_expression(kind: int) -> bool:
    """Expressions, as against statements, declarations, names of types and attributes."""
    return 100 <= kind < 200 or kind == CursorKind.BIT_CAST_EXPR
