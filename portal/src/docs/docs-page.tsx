import { addressOf } from '../api/server.ts';
import { PageLink } from '../frame/page-link.tsx';
import type { PageProps } from '../frame/page-props.ts';
import { baseOf } from '../frame/shared-link.ts';
import { useLocale } from '../i18n/locale.tsx';

/** The help page: how to search, how to read the numbers, how to cite. */
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
        <h2>{t.docsCite}</h2>
        <p>
          {config.look.citation === undefined
            ? t.citeText(name, base, day(Date.now()))
            : pick(config.look.citation)}
        </p>
      </section>
      <details>
        <summary>{t.forAdministrators}</summary>
        <p>
          {t.docsPrograms} <a href={addressOf('introspection')}>/introspection</a>
        </p>
      </details>
      <p>
        <PageLink className="plain main" page="explore" view={{ source: source.id }}>
          {t.exploreAll}
        </PageLink>
      </p>
    </article>
  );
};

export default DocsPage;
