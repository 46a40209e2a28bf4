import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useLocale } from '../i18n/locale.tsx';
import RequestDialog, { type RequestDialogProps } from './request-dialog.tsx';

/** Opens the request for the records of a page. */
const RequestButton = (props: Omit<RequestDialogProps, 'onClose'>) => {
  const { t } = useLocale();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="row">
      <Button className="plain main" onPress={() => setOpen(true)}>
        {props.record === undefined ? t.request : t.requestOne}
      </Button>
      {isOpen && <RequestDialog {...props} onClose={() => setOpen(false)} />}
    </div>
  );
};

export default RequestButton;
