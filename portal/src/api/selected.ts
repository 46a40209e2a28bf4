/** What was selected of a type of the schema and, by contract, is never null. */
export type Sure<Type, Name extends keyof Type> = { readonly [Each in Name]: NonNullable<Type[Each]> };

/** What was selected of a type and may be null. */
export type Nullable<Type, Name extends keyof Type> = { readonly [Each in Name]: Type[Each] };

/** What only some queries select, or only some servers support. */
export type Perhaps<Type, Name extends keyof Type> = { readonly [Each in Name]?: Type[Each] };
