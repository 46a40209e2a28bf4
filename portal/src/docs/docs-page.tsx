import { addressOf } from '../api/server.ts';
import { curlOf } from '../explore/sentence/curl.ts';
import { PageLink } from '../frame/page-link.tsx';
import type { PageProps } from '../frame/page-props.ts';
import { baseOf } from '../frame/shared-link.ts';
import { useLocale } from '../i18n/locale.tsx';
import { examples } from './examples.ts';

/** The help page: how to search, how to read the numbers, what programs use, how to cite. */
const DocsPage = ({ config, source }: PageProps) => {
  const { t, pick, day } = useLocale();
  const base = baseOf(config);
  const name = config.look.name === undefined ? source.name : pick(config.look.name);
  return (
    <article className="page stack wide">
      <h1>{t.docsTitle}</h1>
      <section className="stack">
        <h2>{t.docsSearch}</h2>
        <p>{t.docsSearchText}</p>
      </section>
      <section className="stack">
        <h2>{t.docsNumbers}</h2>
        <p>{t.docsNumbersText}</p>
      </section>
      <section className="stack">
        <h2>{t.docsLanguage}</h2>
        {examples.map(({ filter, key }) => (
          <div key={key} className="stack">
            <h3>{t.examples[key]}</h3>
            <pre tabIndex={0} aria-label={t.examples[key]}>
              {JSON.stringify(filter)}
            </pre>
          </div>
        ))}
      </section>
      <section className="stack">
        <h2>{t.docsPrograms}</h2>
        <p>{t.docsProgramsText}</p>
        <pre tabIndex={0} aria-label={t.asCurl}>
          {curlOf(base, source, { filter: null, nodes: null })}
        </pre>
        <ul>
          <li>
            <a href={addressOf('introspection')}>GET /introspection</a>
          </li>
          <li>
            <a href={addressOf('introspection/sqon')}>GET /introspection/sqon</a>
          </li>
          {config.flags.playground && (
            <li>
              <a href={addressOf(`${source.path}/graphql`)}>{t.playground}</a>
            </li>
          )}
        </ul>
      </section>
      <section className="stack">
        <h2>{t.docsCite}</h2>
        <p>
          {config.look.citation === undefined
            ? t.citeText(name, base, day(Date.now()))
            : pick(config.look.citation)}
        </p>
      </section>
      <p>
        <PageLink className="plain main" page="explore" view={{ source: source.id }}>
          {t.exploreAll}
        </PageLink>
      </p>
    </article>
  );
};

export default DocsPage;
