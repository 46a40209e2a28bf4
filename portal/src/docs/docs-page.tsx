import { addressOf } from '../api/server.ts';
import { PageLink } from '../frame/page-link.tsx';
import type { PageProps } from '../frame/page-props.ts';
import { baseOf } from '../frame/shared-link.ts';
import { useLocale } from '../i18n/locale.tsx';
import { useDocsTexts } from './use-docs-texts.ts';

/** The help page: how to search, how to read the numbers, how to cite. */
const DocsPage = ({ config, source }: PageProps) => {
  const { t, pick, day } = useLocale();
  const words = useDocsTexts();
  const base = baseOf(config);
  const name = config.look.name === undefined ? source.name : pick(config.look.name);
  return (
    <article className="page stack wide">
      <h1>{words.title}</h1>
      <section className="stack">
        <h2>{words.search}</h2>
        <p>{words.searchText}</p>
      </section>
      <section className="stack">
        <h2>{words.numbers}</h2>
        <p>{words.numbersText}</p>
      </section>
      <section className="stack">
        <h2>{words.cite}</h2>
        <p>
          {config.look.citation === undefined
            ? words.citeText(name, base, day(Date.now()))
            : pick(config.look.citation)}
        </p>
      </section>
      <details>
        <summary>{t.forAdministrators}</summary>
        <p>
          {words.programs} <a href={addressOf('introspection')}>/introspection</a>
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
