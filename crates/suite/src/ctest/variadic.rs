//! Variable arguments of a test → the arguments to write in its call; a `va_list` is made by a small variadic function around it.

use super::access::{Node, Tree};
use super::literal;
use super::object::{Builder, Place};
use covet_input::AccessPath;
use covet_source::{Directive, Extra, Function, TypeId, TypeKind, letter_suffix, spelling};

/// The call of `function` with `arguments` (none for its `va_list`) and the variable arguments of the test.
pub fn call(builder: &mut Builder<'_>, function: &Function, arguments: Vec<String>, tree: &Tree) -> String {
    let extra = extra(builder, function, tree);
    let Some(list) = function.va_list(builder.types) else {
        let all: Vec<String> = arguments.into_iter().chain(extra).collect();
        return format!("{}({})", function.name, all.join(", "));
    };
    let maker = maker(builder, function, list);
    let all: Vec<String> = arguments.into_iter().chain(["0".to_string()]).chain(extra).collect();
    format!("{maker}({})", all.join(", "))
}

/// Defines the function that makes a `va_list` of its own arguments and calls `function` with it; gives its name.
fn maker(builder: &mut Builder<'_>, function: &Function, list: usize) -> String {
    let name = format!("{}_call", builder.symbol);
    let mut parameters = Vec::new();
    let mut passed = Vec::new();
    for (at, parameter) in function.parameters.iter().enumerate() {
        let own = format!("a{at}");
        if at != list {
            parameters.push(spelling::declare(&parameter.type_name, &own));
            passed.push(own);
            continue;
        }
        let is_pointer_to_list = matches!(builder.types.kind(parameter.ty),
            TypeKind::Pointer { pointee, .. } if matches!(builder.types.kind(*pointee), TypeKind::Array { .. }));
        passed.push(if is_pointer_to_list { "&list" } else { "list" }.to_string());
    }
    let call = format!("{}({})", function.name, passed.join(", "));
    let result = &function.result_name;
    let (call, returned) = match builder.types.kind(function.result) {
        TypeKind::Void => (format!("{call};"), String::new()),
        _ => (format!("{} = {call};", spelling::declare(result, "result")), "    return result;\n".to_string()),
    };
    parameters.push("int last".to_string());
    let head = spelling::declare(result, &format!("{name}({}, ...)", parameters.join(", ")));
    builder.definitions.push(format!(
        "static {head}\n{{\n    __builtin_va_list list;\n    __builtin_va_start(list, last);\n    {call}\n    \
         __builtin_va_end(list);\n{returned}}}"
    ));
    name
}

/// The variable arguments as expressions, in order, as far as the test knows them.
fn extra(builder: &mut Builder<'_>, function: &Function, tree: &Tree) -> Vec<String> {
    let mut written = Vec::new();
    let Some(extra) = function.extra(builder.types) else { return written };
    loop {
        let position = function.parameters.len() + written.len();
        let at = |suffix: &str| {
            let name = format!("{position}{suffix}");
            (tree.argument(&name), AccessPath::argument(&name))
        };
        let wish = format!("argument_{}", position + 1);
        let next = match &extra {
            Extra::Types(types) => {
                let Some(ty) = types.get(written.len()).or(types.last()) else { return written };
                let (node, path) = at("");
                let spelled = builder.types.get(*ty).name.clone();
                let known = node.is_some() || builder.knows_pointer(&path);
                known.then(|| builder.variable(&wish, argument(*ty, &spelled, node, &path)))
            }
            Extra::Letters(_, letters) => letters.iter().find_map(|(letter, types)| {
                types.iter().enumerate().find_map(|(number, ty)| {
                    let (node, path) = at(&letter_suffix(*letter, number));
                    let spelled = builder.types.get(*ty).name.clone();
                    let known = node.is_some() || builder.knows_pointer(&path);
                    known.then(|| builder.variable(&wish, argument(*ty, &spelled, node, &path)))
                })
            }),
            Extra::Format(format) => Directive::ALL.into_iter().find_map(|directive| {
                let (node, path) = at(directive.suffix());
                let known = node.is_some() || builder.knows_pointer(&path);
                known.then(|| match directive {
                    Directive::Int | Directive::Long | Directive::Double => number(directive, node),
                    Directive::Text | Directive::Count => {
                        let parameter = &function.parameters[*format];
                        let (ty, written) = (parameter.ty, parameter.type_name.as_str());
                        builder.variable(&wish, argument(ty, written, node, &path))
                    }
                })
            }),
        };
        match next {
            Some(argument) => written.push(argument),
            None => return written,
        }
    }
}

/// A variable argument as a value to write.
fn argument<'p>(ty: TypeId, written: &'p str, node: Option<&'p Node>, path: &'p AccessPath) -> Place<'p> {
    Place { ty, written, bit_width: None, node, path, expression: "", is_inferred: false }
}

fn number(directive: Directive, node: Option<&Node>) -> String {
    let bits = node.and_then(Node::take).map_or(0, |value| value.bits);
    match directive {
        Directive::Double => literal::float(bits, 64),
        Directive::Long => format!("(long){}", literal::signed(bits, 64)),
        Directive::Int | Directive::Text | Directive::Count => literal::signed(bits, 32),
    }
}
