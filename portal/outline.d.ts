/** The outline of the continents, made by portal/outline.js. */
declare module 'virtual:outline' {
  const path: string;
  export default path;
}
