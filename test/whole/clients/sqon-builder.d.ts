/** What the checks use of the package, which is installed in this folder only. */
declare module '@overture-stack/sqon-builder' {
  interface Filter {
    readonly op: string;
    readonly content: unknown;
  }
  type Value = number | string | readonly (number | string)[];
  interface Builder extends Filter {
    readonly and: (other: Filter) => Builder;
    readonly or: (other: Filter) => Builder;
    readonly not: (other: Filter) => Builder;
    readonly in: (fieldName: string, values: Value) => Builder;
    readonly gt: (fieldName: string, value: number) => Builder;
    readonly lt: (fieldName: string, value: number) => Builder;
    readonly setFilter: (fieldName: string, op: string, value: Value) => Builder;
    readonly removeFilter: (fieldName: string, op?: string, value?: Value) => Builder;
    readonly removeExactFilter: (filter: Filter) => Builder;
    readonly toValue: () => unknown;
    readonly toString: () => string;
  }
  type Group = (filters: Filter | readonly Filter[], pivot?: string) => Builder;
  const builder: {
    readonly default: Pick<Builder, 'in' | 'gt' | 'lt'> & {
      readonly and: Group;
      readonly or: Group;
      readonly not: Group;
      readonly from: (text: string) => Builder;
    };
  };
  export default builder;
}
