import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

// Writes docs/library.md from the types that src/library.ts exports: `npm run docs`.

const root = join(import.meta.dirname, '..');
const target = join(root, 'docs/library.md');

const parse = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

type Declaration =
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.ClassDeclaration
  | ts.VariableStatement;

const declarationOf = (source: ts.SourceFile, name: string): Declaration | undefined =>
  source.statements.find(
    (one): one is Declaration =>
      ((ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) || ts.isClassDeclaration(one)) &&
        one.name?.text === name) ||
      (ts.isVariableStatement(one) && one.declarationList.declarations[0]?.name.getText() === name),
  );

/** Maps the name used here to the file and the name there. */
const importsOf = (source: ts.SourceFile): ReadonlyMap<string, readonly [file: string, name: string]> =>
  new Map(
    source.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
      const names = importClause?.namedBindings;
      const path = (moduleSpecifier as ts.StringLiteral).text;
      if (!path.startsWith('.') || names === undefined || !ts.isNamedImports(names)) return [];
      const file = resolve(dirname(source.fileName), path);
      return names.elements.map(
        (one) => [one.name.text, [file, (one.propertyName ?? one.name).text]] as const,
      );
    }),
  );

/** Everything that applications can import, in file order: own declarations, then re-exports. */
const exported = (): readonly (readonly [name: string, declaration: Declaration])[] => {
  const source = parse(join(root, 'src/library.ts'));
  const imports = importsOf(source);
  const passedOn = source.statements.filter(ts.isExportDeclaration).flatMap(({ exportClause }) =>
    exportClause !== undefined && ts.isNamedExports(exportClause)
      ? exportClause.elements.map((one) => {
          const [file, name] = imports.get((one.propertyName ?? one.name).text)!;
          return [one.name.text, declarationOf(parse(file), name)!] as const;
        })
      : [],
  );
  const own = ['createRouter', 'RouterOptions', 'CatalogueRouter'].map(
    (name) => [name, declarationOf(source, name)!] as const,
  );
  return [...own, ...passedOn];
};

/** A declaration without its body. */
const signature = (name: string, declaration: Declaration): string => {
  if (ts.isVariableStatement(declaration)) {
    const { initializer } = declaration.declarationList.declarations[0]!;
    const { parameters, type } = initializer as ts.ArrowFunction;
    return `declare function ${name}(${parameters.map((one) => one.getText()).join(', ')}): ${type!.getText()}`;
  }
  if (!ts.isClassDeclaration(declaration)) return declaration.getText().replace(/^export /, '');
  const members = declaration.members.map((member) => {
    const body = 'body' in member ? (member.body as ts.Node | undefined) : undefined;
    const text = member.getText();
    return `  ${(body === undefined ? text : text.slice(0, body.getStart() - member.getStart())).trim().replace(/;?$/, ';')}`;
  });
  const base = declaration.heritageClauses?.map((one) => ` ${one.getText()}`).join('') ?? '';
  return `class ${name}${base} {\n${members.join('\n')}\n}`;
};

const section = ([name, declaration]: readonly [string, Declaration]): string => {
  const [comment] = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc);
  const throws = comment?.tags?.filter((tag) => tag.tagName.text === 'throws') ?? [];
  const example = comment?.tags?.find((tag) => tag.tagName.text === 'example');
  const fence = (code: string): string => `\`\`\`ts\n${code.trim()}\n\`\`\``;
  const text = (node: ts.JSDoc | ts.JSDocTag): string =>
    (ts.getTextOfJSDocComment(node.comment) ?? '').replaceAll(/\s+/g, ' ').trim();
  return [
    `## ${name}`,
    ...(comment === undefined ? [] : [text(comment)]),
    fence(signature(name, declaration)),
    ...throws.map((tag) => `Throws ${text(tag)}.`),
    ...(example === undefined
      ? []
      : ['For example:', fence(ts.getTextOfJSDocComment(example.comment) ?? '')]),
  ].join('\n\n');
};

/** The text of docs/library.md. */
export const libraryDocs = (): string =>
  [
    '# The library',
    '<!-- Written by scripts/library-docs.ts from the types that src/library.ts exports. Change those, and run `npm run docs`. -->',
    'What an application can import from `tributary`. Settings and files are those of [configuration.md](configuration.md).',
    ...exported().map(section),
    '',
  ]
    .join('\n\n')
    .trimEnd() + '\n';

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, libraryDocs());
