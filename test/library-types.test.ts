import { fileURLToPath } from 'node:url';
import test from 'ava';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));
const library = fileURLToPath(new URL('../src/library.ts', import.meta.url));
const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)) as {
  config: object;
};
const options: ts.CompilerOptions = {
  ...ts.parseJsonConfigFileContent({ ...config, include: [], files: [library] }, ts.sys, root).options,
  paths: { tributary: [library] },
  incremental: false,
};

const program = ts.createProgram([library], options);
const checker = program.getTypeChecker();
const declared = (symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
const exported = checker
  .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(library)!)!)
  .filter(({ name }) => name !== 'default')
  .map((symbol) => ({ name: symbol.name, symbol: declared(symbol) }));

/** The types of ours that a declaration names, outside of bodies and of what is private. */
const typesIn = (node: ts.Node): readonly ts.Symbol[] => {
  if (ts.isBlock(node) || ts.isTypeQueryNode(node)) return [];
  const own = ts.isTypeReferenceNode(node) ? [checker.getSymbolAtLocation(node.typeName)!] : [];
  const ours = own
    .map(declared)
    .filter((symbol) =>
      symbol.declarations?.some(
        (one) =>
          one.getSourceFile().fileName.startsWith(`${root}src/`) && !ts.isTypeParameterDeclaration(one),
      ),
    );
  const below: ts.Symbol[] = [];
  if (ts.isArrowFunction(node)) {
    for (const part of [...node.parameters, node.type]) if (part) below.push(...typesIn(part));
  } else ts.forEachChild(node, (child) => void below.push(...typesIn(child)));
  return [...ours, ...below];
};

const exampleOf = (symbol: ts.Symbol): string | undefined =>
  symbol
    .getJsDocTags(checker)
    .filter(({ name }) => name === 'example')
    .map(({ text }) => ts.displayPartsToString(text))[0];

test('every type that the library names is one that it exports', (t) => {
  const names = exported.map(({ symbol }) => symbol);
  const missing = exported.flatMap(({ name, symbol }) =>
    (symbol.declarations ?? [])
      .flatMap(typesIn)
      .filter((type) => !names.includes(type))
      .map((type) => `${name} names ${type.name}`),
  );
  t.deepEqual(missing, []);
  t.deepEqual(
    exported.map(({ name }) => name).sort(),
    [
      ...[
        'CatalogueObject',
        'CatalogueObjects',
        'CatalogueRouter',
        'Environment',
        'ErrorCode',
        'ErrorContext',
      ],
      ...['GetServerSideFilter', 'NodesConfig', 'RequestContext', 'RequestState', 'RouterOptions'],
      ...['TributaryError', 'createRouter'],
    ].sort(),
  );
});

test('every export of the library has an example, and each compiles', (t) => {
  t.deepEqual(
    exported.filter(({ symbol }) => exampleOf(symbol) === undefined).map(({ name }) => name),
    [],
  );
  const examples = new Map(
    exported.map(({ name, symbol }) => [
      `${root}test/example-${name}.ts`,
      `${exampleOf(symbol)}\nexport {};\n`,
    ]),
  );
  const host = ts.createCompilerHost(options);
  const compiled = ts.createProgram([...examples.keys()], options, {
    ...host,
    fileExists: (path) => examples.has(path) || host.fileExists(path),
    readFile: (path) => examples.get(path) ?? host.readFile(path),
    getSourceFile: (path, version) => {
      const text = examples.get(path);
      return text === undefined
        ? (program.getSourceFile(path) ?? host.getSourceFile(path, version))
        : ts.createSourceFile(path, text, version);
    },
  });
  const faults = [...examples.keys()].flatMap((path) =>
    ts
      .getPreEmitDiagnostics(compiled, compiled.getSourceFile(path))
      .map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
  );
  t.deepEqual(faults, []);
});
