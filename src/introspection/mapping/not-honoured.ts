import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import { constantOf } from '../terms/term-forms.ts';
import { normalizerNamed } from '../terms/normalizer.ts';
import { propertiesOf } from './mapping.ts';

/**
 * Warnings about the parts of a mapping that the embedded engine does not implement.
 * @param analysis from the index's settings
 */
export const notHonoured = (mapping: JsonObject, analysis: JsonObject, parent = ''): readonly string[] =>
  Object.entries({ ...propertiesOf(mapping), ...innerFields(mapping) }).flatMap(([name, definition]) => {
    if (!isJsonObject(definition)) return [];
    const path = parent === '' ? name : `${parent}.${name}`;
    const problem = problemOf(definition, analysis);
    return [
      ...(problem === null ? [] : [`field "${path}": the embedded engine ${problem}`]),
      ...notHonoured(definition, analysis, path),
    ];
  });

const innerFields = ({ fields }: JsonObject): JsonObject => (isJsonObject(fields) ? fields : {});

const problemOf = (definition: JsonObject, analysis: JsonObject): string | null => {
  const { type, normalizer } = definition;
  if (type === 'constant_keyword' && constantOf(definition) === undefined)
    return 'takes a constant_keyword without "value" for a keyword';
  if (type === 'keyword' && typeof normalizer === 'string') {
    const definition = normalizerNamed(normalizer, analysis);
    return typeof definition === 'string'
      ? `keeps its values without the normalizer "${normalizer}": ${definition}`
      : null;
  }
  const analyzer = [definition['analyzer'], definition['search_analyzer']].find(isOther);
  return type === 'text' && analyzer !== undefined
    ? `splits its texts as the standard analyzer does, not as "${String(analyzer)}"`
    : null;
};

const isOther = (analyzer: JsonValue | undefined): boolean =>
  typeof analyzer === 'string' && analyzer !== 'standard' && analyzer !== 'default';
