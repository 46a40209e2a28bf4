/** What was selected of a type of the schema and is never null, for the contract fills it in. */
export type Sure<Type, Name extends keyof Type> = { readonly [Each in Name]: NonNullable<Type[Each]> };

/** What was selected of a type and may be null. */
export type Nullable<Type, Name extends keyof Type> = { readonly [Each in Name]: Type[Each] };

/** What only some questions select, or only some servers know. */
export type Perhaps<Type, Name extends keyof Type> = { readonly [Each in Name]?: Type[Each] };
