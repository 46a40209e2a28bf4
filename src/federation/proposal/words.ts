/** Lowercase, German umlauts written out, without accents. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/ß/g, 'ss')
    .replace(/œ/g, 'oe')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');

/** Folded, and letters and digits only. */
export const bare = (text: string): string => folded(text).replace(/[^a-z\d]+/g, '');

/**
 * Words of field names and values in English, French and German, with the abbreviations used in databases: folded, one
 * meaning each; its first word is the result for all. `a=b,c` maps a to two words.
 */
const meanings = {
  people: `
age alter alters; sex gender geschlecht sexe; birth born geburt geburts naissance; death died dead deces tod todes sterbe mort mortality;
dob=birth,date; dod=death,date; yob=birth,year; person pt pat subj patient patients patientin donor donors spender donneur participant participants teilnehmer proband individual individu persons personne;
family familie familial familiaux familiale familien;
mother mutter mere; father vater pere; parent parents eltern; race; ethnicity ethnie; nationality nationalitaet nationalite;
country land pays; place ort lieu; city stadt ville; location localisation standort; region; language sprache langue;
consent einwilligung consentement; withdrawn zurueckgezogen widerrufen retire; lost verloren perdu; view vue; follow fu=follow,up followup=follow,up suivi=follow,up nachsorge=follow,up`,
  medicine: `
diagnosis dx diag diagnoses diagnose diagnosen diagnostic diagnostics; hauptdiagnose=primary,diagnosis; icd=diagnosis,code icd10=diagnosis,code cim=diagnosis,code cim10=diagnosis,code;
disease diseases condition conditions erkrankung erkrankungen krankheit maladie maladies disorder; cancer krebs; tumor tumors tumour tumours tumeur tumoral tumorale; tissue gewebe tissu; blood blut sang;
drug drugs agent agents medication medications medikament medicament wirkstoff; treatment tx treatments therapy therapies therapie behandlung traitement traitements; stage stadium stade; grade grading grad; histology histologie histological histologisch histologique morphology morphologie;
laterality seite seitenlokalisation lateralite; metastasis metastases metastatic metastase metastasen; relapse recurrence rueckfall rezidiv rechute recidive;
alive living lebend lebt vivant vivante; deceased verstorben tot decede decedee; survival ueberleben survie; cause ursache;
smoking smoker tobacco rauchen raucher tabac tabagisme fumeur; alcohol alkohol alcool; never nie jamais; former ehemals ehemalig ancien ancienne; current aktuell actuel actuelle;
bmi=body,mass,index imc=body,mass,index; body koerper corps; mass masse; index indice; circumference umfang perimetre; head kopf tete;
temperature temperatur temp; pressure druck pression; heart herz coeur cardiac; rate frequenz frequence; hr=heart,rate; systolic systolisch systolique; diastolic diastolisch diastolique; bp=blood,pressure sbp=systolic,blood,pressure dbp=diastolic,blood,pressure;
admission adm aufnahme; discharge disch entlassung sortie; stay aufenthalt sejour; los=length,stay; encounter enc; hospital hosp krankenhaus klinik hopital facility; department dept abteilung departement;
history anamnese antecedents vorgeschichte; phenotype phenotypes phaenotyp phenotypes hpo; consanguinity konsanguinitaet consanguinite; affected betroffen atteint; unaffected=not,affected;
laboratory lab labor laboratoire; test tests untersuchung examen; result results ergebnis resultat; abnormal auffaellig anormal; mechanical mechanically mech mechanisch mecanique; ventilation ventilated vent beatmung beatmet ventilee;
node nodes lymphknoten; positive pos positif; clinical clin klinisch clinique; pathologic path pathological pathologisch pathologique; menopause menopausal`,
  genomics: `
gene genes gen; variant variants variante variantes mutation mutations; mutated mutiert mutierte mutes; mutational mutationnelle; burden last charge load; zygosity zygotie zygosite; inheritance erbgang vererbung heredite; solved geloest resolu;
sample samples specimen specimens biospecimen probe proben echantillon echantillons prelevement prelevements; collection collected sampling sampled sammlung entnahme collecte; storage lagerung stockage; preservation konservierung conservation; fasting nuechtern jeun; cohort kohorte cohorte; aliquot aliquots aliquote aliquotes;
sequencing seq sequenzierung sequencage sequencages; experiment experimental; strategy strategie; platform plattform plateforme sequencer; instrument instr geraet appareil; model modell modele; genome genom; reference ref referenz; coverage cov abdeckung couverture; quality qualitaet qualite; read reads; raw roh rohe brut brutes; purity reinheit purete cellularity cellularite; content inhalt gehalt contenu;
file files datei dateien fichier fichiers; format fmt; data daten donnees; access zugang acces; checksum pruefsumme; md5 md5sum;
autosomal autosomique; dominant; recessive rezessiv recessif; chromosomal; linked gebunden lie; heterozygous heterozygot heterozygote; homozygous homozygot homozygote; hemizygous hemizygot hemizygote; mitochondrial mitochondriale`,
  measures: `
height ht groesse koerpergroesse hoehe taille hauteur; weight wt gewicht koerpergewicht poids; size sz dimension dimensions; width breite largeur; depth tiefe profondeur; diameter durchmesser diametre; length len laenge longueur; duration dauer duree; volume vol volumen;
date dt datum datetime timestamp; year yr jahr annee; month monat mois; day tag jour; start begin begun anfang onset beginn debut; end ende fin stop; first erste erster premier premiere; last letzte letzter letztes dernier derniere; period epoche periode; century jahrhundert siecle;
code cd codes schluessel; id ids identifies identifier identifikator identifiant kennung uuid; number nummer num nr no nb n numero anzahl nombre count cnt; name nm nom bezeichnung; type typ art nature kind; status stat zustand statut; level lvl niveau; flag kennzeichen; category kategorie categorie;
description desc beschreibung; method methode mode; value val wert valeur; unit einheit unite; primary primaer primitif principal; total gesamt; mean avg average mittlere moyen moyenne; not nicht non pas; and und et; project projekt projet program programme`,
  museums: `
title titel titre; artist artists kuenstler kuenstlerin artiste artistes creator creators contributor contributors auteur urheber; creation created entstehung; object objekt objet; inventory inventar inventaire accession catalog catalogue registration; taxon=scientific,name; identification identified determined determiner determination; longitude lon long lng; minimum min least lowest minimal; maximum max greatest highest maximal; elevation elev altitude; classification gattung klassifikation; technique technik; medium media; material materials materiau materiaux;
provenance provenienz; acquisition acquired erwerb erwerbung erwerbungs; display ausgestellt expose; credit; creditline=credit,line; inscription inscriptions inschrift; signature signatur; subject subjects sujet thema motiv; rights rechte droits; image images bild abbildung; exhibition exhibitions ausstellung exposition;
painting paintings gemaelde malerei peinture; drawing drawings zeichnung dessin; print prints druckgrafik grafik estampe; sculpture skulptur plastik; photograph photography fotografie photographie; watercolor watercolour aquarell aquarelle; etching radierung; lithography lithographie lithograph; engraving kupferstich gravure; woodcut holzschnitt;
oil oel huile; canvas leinwand toile; paper papier; wood holz bois; bronze; marble marmor marbre; glass glas verre; silver silber argent; ceramic keramik ceramique; textile textil;
purchase ankauf kauf achat; gift schenkung don; bequest vermaechtnis legs; portrait portraet; landscape landschaft paysage; still; life; scene szene; religious religioes religieuse religieux; stilleben=still,life`,
  organs: `
organ organs organe site sites lokalisation; anatomical anatomisch anatomique; breast brust mamma sein; lung lunge poumon; colon kolon dickdarm; rectum enddarm; prostate prostata; pancreas bauchspeicheldruese; brain gehirn hirn cerveau; skin haut peau; kidney niere rein; liver leber foie; stomach magen estomac; ovary ovar eierstock ovaire; thyroid schilddruese thyroide; bone knochen os; bladder blase vessie; uterus gebaermutter; adrenal nebenniere surrenale; oesophagus esophagus speiseroehre oesophage;
adenocarcinoma adenokarzinom adenocarcinome; carcinoma karzinom carcinome; melanoma melanom melanome; sarcoma sarkom sarcome; leukemia leukaemia leukaemie leucemie; lymphoma lymphom lymphome; normal germinal;
surgery operation chirurgie; chemotherapy chemotherapie chimiotherapie; radiotherapy radiation strahlentherapie bestrahlung radiotherapie; immunotherapy immuntherapie immunotherapie; hormonotherapie=hormone,treatment hormontherapie=hormone,treatment; targeted zielgerichtet ciblee;
plasma; serum; urine urin; saliva speichel salive; dna dns adn; rna rns arn; whole entier total; vollblut=whole,blood; fresh frisch frais; frozen gefroren tiefgefroren congele; liquid fluessig liquide; nitrogen stickstoff azote; left links gauche; right rechts droite droit; bilateral beidseitig beidseits;
germany german deutschland deutsch allemagne allemand; france french frankreich franzoesisch francais; austria austrian oesterreich autriche; switzerland swiss schweiz suisse; italy italian italien italienisch italie; spain spanish spanien espagne; netherlands dutch niederlande niederlaendisch neerlandais; belgium belgien belgique; algeria algerien algerie`,
};

/** Maps a folded word to the words that it means. */
export const dictionary: ReadonlyMap<string, readonly string[]> = new Map(
  Object.values(meanings)
    .flatMap((text) => text.split(';'))
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([first = '', ...others]) => [first, ...others].map((word) => [word, first] as const))
    .map(([word, first]) => {
      const [spelt = '', meant] = word.split('=');
      return [spelt, meant?.split(',') ?? [first]] as const;
    }),
);

/** Values that mean the same, by kind of value: a short code has a meaning only among values of its kind. */
export const listedValues: readonly Readonly<Record<string, readonly string[]>>[] = [
  {
    female: ['female', 'f', 'w', 'weiblich', 'woman', 'frau', 'femme', 'feminin', 'femelle'],
    male: ['male', 'm', 'h', 'maennlich', 'man', 'mann', 'homme', 'masculin'],
    'another sex': ['other', 'diverse', 'divers', 'd', 'o', 'autre', 'intersex', 'othersex'],
    unknown: ['unknown', 'unk', 'u', 'i', 'unbekannt', 'inconnu', 'indetermine', 'unknownsex', 'notreported'],
  },
  {
    alive: ['alive', 'living', 'a', 'l', 'lebend', 'lebt', 'vivant', 'vivante'],
    deceased: ['deceased', 'dead', 'died', 'd', 'verstorben', 'tot', 'decede', 'decedee', 'mort'],
    unknown: ['unknown', 'unk', 'u', 'unbekannt', 'inconnu', 'notknown', 'notreported'],
  },
  {
    yes: ['yes', 'y', 'true', 'ja', 'j', 'oui', 'o', '1'],
    no: ['no', 'n', 'false', 'nein', 'non', '0'],
    unknown: ['unknown', 'unk', 'u', 'unbekannt', 'inconnu', 'notknown', 'na', 'notavailable', 'notreported'],
  },
  {
    left: ['left', 'l', 'links', 'gauche', 'g'],
    right: ['right', 'r', 'rechts', 'droite', 'droit', 'd'],
    bilateral: ['bilateral', 'b', 'both', 'beidseits', 'beidseitig'],
  },
];

/** Patterns of the codes of shared hierarchies and lists. */
export const codeForms: Readonly<Record<string, RegExp>> = {
  'ICD-10': /^[A-TV-Z]\d[\dA-Z](\.?[\dA-Z]{1,4})?$/,
  HPO: /^HP:\d{7}$/,
  LOINC: /^\d{1,5}-\d$/,
  ORPHA: /^ORPHA:\d+$/,
  HGVS: /^N[MCGPR]_\d+(\.\d+)?:[cgmnpr]\..+/,
  ATC: /^[A-V]\d{2}[A-Z]{2}\d{2}$/,
};

/** Maps a folded unit to its common form. */
export const units: ReadonlyMap<string, string> = new Map(
  [
    'years year yr yrs y a jahre jahr ans an annees',
    'months month mo mos monate monat mois',
    'weeks week wk wks wochen woche semaines',
    'days day d tage tag jours jour',
    'hours hour h hr hrs stunden stunde heures heure',
    'mm',
    'cm',
    'm meter meters metre metres',
    'km',
    'mg',
    'g',
    'kg',
    'ml',
    'l',
    'b byte bytes o octets',
    'bp bases',
    '% percent pct prozent pourcent',
  ].flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return [first, ...others].map((word) => [word, first] as const);
  }),
);

/** A unit in its common form, such as `years` for Jahre; unknown units as they are, null for none. */
export const unitIn = (text: string | undefined): string | null => {
  if (text === undefined || text.trim() === '') return null;
  return units.get(text === '%' ? text : bare(text)) ?? text.trim().toLowerCase();
};
