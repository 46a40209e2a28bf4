// The part of DuckDB's client that the bench uses, so that types are checked where bench/ is not installed too.
declare module '@duckdb/node-api' {
  type DuckDBValue = string | number | bigint | boolean | null;

  interface DuckDBAppender {
    appendVarchar(value: string): void;
    appendDouble(value: number): void;
    appendBigInt(value: bigint): void;
    appendInteger(value: number): void;
    appendBoolean(value: boolean): void;
    appendNull(): void;
    endRow(): void;
    flushSync(): void;
    closeSync(): void;
  }

  interface DuckDBConnection {
    run(sql: string, values?: readonly DuckDBValue[]): Promise<unknown>;
    runAndReadAll(sql: string): Promise<{ getRows(): readonly (readonly DuckDBValue[])[] }>;
    createAppender(table: string): Promise<DuckDBAppender>;
    closeSync(): void;
  }

  class DuckDBInstance {
    static create(path: string): Promise<DuckDBInstance>;
    connect(): Promise<DuckDBConnection>;
    closeSync(): void;
  }
}
