/**
 * An oxlint plugin: refuses the words that say too little as the whole name of a variable, parameter, function or method.
 * Properties of objects and of their types are left alone, because many of them are names in stored or sent formats.
 */

const RETIRED = new Set(
  (
    "told tell said say kept keep stands came comes goes wanted hands mine of ofAll over whole " +
    "mended lent past"
  ).split(" "),
);

/** The identifiers that a pattern binds: `{ a, b: [c, ...d] } = {}` binds a, c and d. */
function* bindings(pattern) {
  switch (pattern?.type) {
    case "Identifier":
      yield pattern;
      break;
    case "ObjectPattern":
      for (const property of pattern.properties) yield* bindings(property.value ?? property);
      break;
    case "ArrayPattern":
      for (const element of pattern.elements) yield* bindings(element);
      break;
    case "AssignmentPattern":
      yield* bindings(pattern.left);
      break;
    case "RestElement":
      yield* bindings(pattern.argument);
      break;
    case "TSParameterProperty":
      yield* bindings(pattern.parameter);
      break;
  }
}

const plainNames = {
  create(context) {
    const check = (name) => {
      for (const identifier of bindings(name))
        if (RETIRED.has(identifier.name))
          context.report({
            node: identifier,
            message: `“${identifier.name}” does not say what it names. Use a noun or a verb of the field (CONTRIBUTING.md).`,
          });
    };
    const checkFunction = (node) => {
      check(node.id);
      for (const parameter of node.params) check(parameter);
    };
    const checkMethod = (node) => {
      if (!node.computed) check(node.key);
    };
    return {
      VariableDeclarator: (node) => check(node.id),
      FunctionDeclaration: checkFunction,
      FunctionExpression: checkFunction,
      ArrowFunctionExpression: checkFunction,
      TSMethodSignature: checkMethod,
      MethodDefinition: checkMethod,
      ClassDeclaration: (node) => check(node.id),
      CatchClause: (node) => check(node.param),
      ImportSpecifier: (node) => check(node.local),
    };
  },
};

export default { meta: { name: "house" }, rules: { "plain-names": plainNames } };
