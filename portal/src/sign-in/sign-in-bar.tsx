import { Button } from 'react-aria-components';
import { useSession } from '../api/use-answers.ts';
import { useLocale } from '../i18n/locale.tsx';

/** The signed-in user, with buttons to sign in and out. */
const SignInBar = () => {
  const { t } = useLocale();
  const { state, signIn } = useSession();
  if (signIn === null) return null;
  if (state.kind === 'in')
    return (
      <span className="row">
        <span className="small">{t.session.signedInAs(state.tokens.name)}</span>
        <Button className="plain" onPress={() => void state.tokens.signOut()}>
          {t.session.signOut}
        </Button>
      </span>
    );
  return (
    <Button className="plain main" onPress={() => void signIn()}>
      {t.session.signIn}
    </Button>
  );
};

export default SignInBar;
