import test from 'ava';
import fc, { runs } from '../../fast-check.ts';
import {
  atRiskAt,
  heightAt,
  kaplanMeier,
  logRank,
  medianOf,
  type EventTime,
} from '../../../portal/src/explore/compare/kaplan-meier.ts';

// the figures are R 4.2.2's with its package survival 3.5-3 (survfit, survdiff), printed with 17 digits; lung is of
// Loprinzi and others (J. Clin. Oncol. 12, 1994), colon of Moertel and others (N. Engl. J. Med. 322, 1990), deaths only

/** Times of events, those of the censored with a plus, each as often as an x says. */
const tableOf = (text: string): readonly EventTime[] => {
  const times = new Map<number, { time: number; events: number; censored: number }>();
  for (const part of text.split(/\s+/)) {
    const [, digits, plus, count = '1'] = /^(\d+)(\+?)(?:x(\d+))?$/.exec(part)!;
    const time = times.get(Number(digits)) ?? { time: Number(digits), events: 0, censored: 0 };
    time[plus === '' ? 'events' : 'censored'] += Number(count);
    times.set(time.time, time);
  }
  return [...times.values()].sort((one, other) => one.time - other.time);
};

const men =
  tableOf(`11x3 12 13x2 15 26 30 31 53x2 54 59 60 65x2 71 81 88x2 92 93 95 105 107 110 116 118 131 132x2 135
  142 144 147 156x2 163x3 166 170 174+ 175 176 177 179x2 180 181x2 183 185+ 188+ 189 191+ 196+ 197
  197+ 202 207 210 212 218 221+ 222 222+ 223 225+x2 229 230 237+ 239 246 259+ 267 269 270 279+ 283 284
  284+ 285 286 288 291 292+ 300+ 301 301+ 303 303+ 306 310 320 329 337 353x2 363 364 371 387 390 394
  404+ 413+ 428 429 442 444+ 455 457 458+ 460 477 519 524 533 558 567 574 583 613 624 643 655 689 707
  791 806+ 814 840+ 883 1010+ 1022+`);
const women =
  tableOf(`5 60 61 62 79 81 92+ 95 105+ 107 122 145x2 153 166 167 173+ 175+ 177+ 182 186 192+ 194 199 201x2
  202+ 203+ 208 211+ 224+ 226 235+ 239 240+ 243+ 245 252+ 266+ 268 269+ 272+ 276+ 285 292+ 293 296+
  305 310 315+ 332+ 340 345 348 350 351 356+ 361 363 364+ 371 376+ 382+ 384+ 426 433 444 450 473
  511+x2 520 524 529+ 543+ 550 551+ 559+ 588+ 641 654 687 705 728 731 735 740+ 765 821+ 965+`);
const observed =
  tableOf(`113 125 145 164 166 187 201 208 215 218 238 241 242 253 259x2 264 275 289 311 313 322 331 365 372
  381 384x2 390 409 411 413x2 417 421 433 437 438 453+ 459 462 464 465x2 469 474 485 499 506 510 528
  537 563x2 570 576 587 591 594 595 599 612 622 659 663 665 670 673 685 687 692 709 716 717 718 721
  743 753 758 760 761 770 774 775 832 833 840 845 854 863 874 883 887 901 924 928 929 936 949 957 961
  963 966 976 1021 1031 1048 1070 1079 1083 1101 1133 1134 1136 1139 1159 1166 1178 1195 1198 1209
  1216 1230 1237 1246 1262 1272 1290 1295 1304 1313 1314 1327 1363 1375 1434 1437 1447 1482 1530 1548
  1656 1679 1692 1723 1745 1772 1788 1790 1792+ 1803+ 1818 1819+ 1823+x2 1852+ 1855+ 1856+ 1870+ 1875
  1884 1891+ 1896 1902+ 1905+ 1907 1915 1929+ 1935+ 1950 1968+ 1976+ 1990+ 1995+ 2001+ 2006+ 2008+
  2025+ 2066+ 2076+ 2077 2083 2085 2093+ 2097+ 2110+ 2111+ 2113+ 2118+ 2120+ 2122+ 2126+ 2130+ 2132+
  2133 2138+ 2139+ 2149+ 2153+ 2157+ 2158+ 2167+x2 2170+x3 2171 2176+x2 2184+ 2187+ 2190+ 2191+x2
  2194+ 2195+ 2200+ 2202+ 2204+ 2210+x2 2213 2213+ 2219+ 2227+ 2229+ 2231+x2 2232+ 2234+ 2235+ 2237+
  2257 2257+ 2261+ 2265+ 2269+ 2278+ 2284 2287 2292+ 2294+ 2299+ 2313+x2 2324+ 2325+ 2326+ 2351 2365+
  2384+ 2391+x2 2393+ 2394+ 2396+ 2413+ 2423+ 2429+ 2435+ 2447+ 2458+ 2485+ 2486+ 2487+ 2503+ 2507+
  2517+ 2527 2528+ 2530+ 2532+ 2551+ 2552 2558+ 2562+ 2574+ 2577+x2 2580+ 2598+ 2618+ 2621+ 2628+
  2651+ 2679+ 2688+ 2695+ 2697+ 2706+ 2716+ 2730+ 2731+ 2743+ 2747+ 2754+ 2761+x2 2765+ 2789 2794+
  2800+ 2815+x2 2826+ 2849+ 2862+ 2899+ 2925+ 3000+ 3017+ 3030+ 3078+ 3192+ 3214+`);
const levamisole =
  tableOf(`24 56 93 122 129 133 150 165 171x2 191 206 219x2 222 226 232 257 283 314x2 316 323 342 343 349 355
  356 362 366 376 382 402 406 420 422 430 438 439 443 444 472 475 486 499 512 522 546 553 559 569 573
  580 582 589 602x2 608 628 629 642 643 647 664 669 675 678 684 706 708 709 720 723 729 730 739 743
  755 759x2 764 766 795 797 806 833 846 858 875 885 890 902 905 909 938 939 940 942 944 952 961x2 968
  969 986 997x2 1018 1034 1037 1041 1046 1055 1061 1092 1103 1105 1112 1117 1122 1135 1145 1154 1161
  1178 1186 1191 1207 1215 1219 1252 1262 1295 1325 1399 1405 1434 1509 1537+ 1540 1548 1568 1652 1709
  1768 1820+ 1828+ 1829 1838+ 1839 1850 1851 1864+ 1879 1879+ 1885 1902+ 1918+ 1932 1939+ 1964+ 1971+
  1980+ 1981+ 1992+ 2006+ 2023 2030+ 2058+ 2065+ 2066+ 2076+ 2079 2093+ 2099+ 2100+ 2111+ 2114+ 2122+
  2128 2129+ 2130+ 2138+x2 2142+ 2144+ 2147+ 2148+ 2152 2152+ 2154+ 2161+ 2171 2173+ 2174+ 2183+ 2185+
  2186+ 2187+ 2188+ 2190+ 2191+ 2200+ 2204+ 2212+x2 2227+ 2242+ 2244+ 2250+ 2252+ 2254+ 2263+ 2264+
  2270+ 2274+ 2280+ 2284+ 2289+ 2303+ 2310+ 2312+ 2323+ 2331+ 2332+ 2339+ 2343+ 2345+ 2347+ 2349+
  2352+ 2356+ 2380+ 2385+ 2386+x2 2387+ 2393+ 2414+ 2416+ 2423+ 2442+ 2444+ 2449+x2 2458 2467+ 2472+x2
  2484+ 2495+ 2497+ 2501+ 2506+ 2509+ 2513+ 2520+ 2525+ 2544+ 2545+ 2547+ 2548+ 2555+ 2558+ 2565+
  2568+ 2572+ 2588+ 2593 2600+ 2613+ 2618+ 2628+ 2656+ 2663+ 2676+ 2679+ 2683 2690+ 2691+ 2703+ 2708+
  2709+ 2711+ 2718 2720+ 2723+ 2726+ 2730+ 2739+ 2740+ 2764+ 2765+x2 2772+ 2779+ 2789+ 2802+ 2828+
  2901+ 2908+ 2910 2915+ 2951+ 2958+ 2969+ 3085+ 3173+ 3325+ 3329+`);
const withFluorouracil =
  tableOf(`23 34 45 52 79 127 138 141 144 186 251 269 271 274 276 279 283 293 302 304 324 326 340 355 363 389
  400 428 430 441 448 454 460 484 490 498 499 503 529 550 576 578 580 583 592 601 603 609 614 616 641
  642 643 666 674 692x2 693 696 712 736 765 802x2 806 811 844 862 884 887x2 905 911 916 961 977 993
  1022 1138 1145 1151 1193 1201 1212 1246 1273 1276x2 1279 1279+ 1302 1306 1365 1387 1388 1421+ 1424
  1439 1446 1474+ 1495 1511 1521 1550 1607 1620 1637 1668 1671 1752 1767 1783 1798 1800+ 1812 1814+x2
  1827+x2 1831 1853+ 1856 1861+ 1875+ 1905+ 1913+ 1918+ 1929+ 1944+ 1969+ 1976+ 1985+ 1995 1997+ 2008+
  2018+ 2020+ 2021 2023+ 2029+ 2043+ 2047+ 2050+ 2052 2055+ 2066+ 2070+ 2072+ 2076+x2 2084+ 2099+
  2101+ 2103+ 2107+ 2111+ 2117+ 2120+ 2127 2136+ 2147+ 2156+ 2162+x2 2164+x2 2165+ 2169+ 2174 2179+
  2180+ 2181+ 2183+ 2189+x2 2191+ 2192+ 2197 2198+x2 2203+ 2207+ 2209+ 2219+ 2221+ 2222+ 2229+ 2240+
  2245+ 2250+ 2255+ 2263+ 2267+ 2277+ 2278+ 2279+ 2290+ 2299+ 2300+ 2304+ 2309+ 2316+ 2318 2321+ 2330+
  2331+x2 2332+ 2350+x2 2352+ 2353+ 2355+ 2360+ 2362+ 2364+ 2375+ 2378+ 2381+ 2408+ 2410+ 2422+ 2439+
  2441+ 2445+ 2450+ 2456+ 2460+ 2461+ 2472+ 2474+ 2481+ 2482 2487+ 2488+x2 2490+ 2496+ 2497+ 2505+
  2506+ 2513+ 2517+x2 2520+ 2527+x2 2530+ 2538+ 2540+ 2541+ 2542 2590+ 2592+x2 2630+ 2631+ 2648+ 2653+
  2656+ 2668+ 2672+ 2674+ 2678+ 2682+ 2699+ 2713+ 2723+ 2724+ 2725 2726+ 2732+ 2737+ 2747+ 2754+ 2760+
  2775+ 2781+ 2820+ 2821+ 2835+ 2840+ 2842+ 2869+ 2871+ 2883+ 2889+ 2899+ 2905+ 2913+ 2916+ 2918+
  2927+ 2941+ 2950+ 2969+ 2985+ 3019+ 3024+ 3087+ 3185+ 3238+ 3308+ 3309+`);

const sizeOf = (times: readonly EventTime[]): number => atRiskAt(times, 0);

type Row = readonly [time: number, atRisk: number, survival: number, lower: number, upper: number];

/** The last point of a curve at or before each time. */
const agrees = (
  t: { readonly true: (value: boolean, message: string) => unknown },
  times: readonly EventTime[],
  rows: readonly Row[],
): void => {
  const curve = kaplanMeier(times);
  for (const [time, atRisk, ...figures] of rows) {
    const { survival, lower, upper } = curve.findLast((one) => one.time <= time)!;
    t.true(atRiskAt(times, time) === atRisk, `${time}: ${atRiskAt(times, time)} at risk`);
    [survival, lower, upper].forEach((found, at) =>
      t.true(Math.abs(found! - figures[at]!) < 1e-9, `${time}: ${found} and not ${figures[at]}`),
    );
  }
};

test('lung: survival and its limits are those of survfit', (t) => {
  t.deepEqual([sizeOf(men), sizeOf(women)], [138, 90]);
  agrees(t, men, [
    [100, 114, 0.8260869565217395, 0.7518517229859308, 0.8798705431285553],
    [200, 78, 0.6073072354171547, 0.5204057330168347, 0.6833104523999802],
    [300, 49, 0.4410888930886176, 0.35380789573243415, 0.5247630506556188],
    [500, 20, 0.22321168933434127, 0.14997886219876438, 0.3056414513419859],
    [800, 6, 0.06696350680030237, 0.027965362755891145, 0.12956259809170037],
    [1000, 2, 0.0357138702934946, 0.008602678834948871, 0.09682783200860402],
  ]);
  agrees(t, women, [
    [5, 90, 0.9888888888888889, 0.9237434778670693, 0.9984273438054236],
    [100, 82, 0.9220883534136546, 0.843505205595354, 0.962077737665589],
    [200, 66, 0.7945934894877309, 0.6937377503475645, 0.8653903446943296],
    [300, 43, 0.6742025860489241, 0.5600689403056085, 0.7648356062393403],
    [500, 21, 0.41104613510668786, 0.2883278750148013, 0.5296426638980414],
    [800, 2, 0.08321444351335817, 0.01850525121215643, 0.2123638548318634],
  ]);
});

test('colon: so they are', (t) => {
  t.deepEqual([observed, levamisole, withFluorouracil].map(sizeOf), [315, 310, 304]);
  agrees(t, observed, [
    [500, 267, 0.8506901311249139, 0.8063044756447675, 0.8856278219992765],
    [1000, 211, 0.6722682309638836, 0.6173500527132004, 0.7211310197585458],
    [1500, 176, 0.5607545433632396, 0.5040276620756796, 0.6135937366096537],
    [2000, 141, 0.5051796643347762, 0.4484575755989218, 0.5590987324022852],
    [2500, 50, 0.45520778628490866, 0.39593807526894287, 0.5124725774229147],
    [3000, 6, 0.40773265811803655, 0.3295323728043382, 0.4842992254273374],
  ]);
  agrees(t, levamisole, [
    [500, 265, 0.8548387096774194, 0.8104807001501685, 0.8895233259933226],
    [1000, 203, 0.6548387096774201, 0.5990477227465364, 0.7048336937974714],
    [1500, 173, 0.5580645161290329, 0.5009488432735685, 0.611295579939146],
    [2000, 145, 0.5121067920673882, 0.45502870432146775, 0.5662130572437044],
    [2500, 58, 0.485113801080008, 0.4267650244178506, 0.5409070704929357],
    [3000, 4, 0.39248979848359694, 0.28273557000672656, 0.500368533239501],
  ]);
  agrees(t, withFluorouracil, [
    [500, 267, 0.8782894736842104, 0.8359726814900923, 0.9102745228550936],
    [1000, 227, 0.7467105263157899, 0.6938732382814448, 0.7918159506968308],
    [1500, 203, 0.6774134037769949, 0.6216632404628497, 0.7267978052446425],
    [2000, 170, 0.6234955734901506, 0.5662662018275944, 0.6754098031531759],
    [2500, 65, 0.5882243291606536, 0.5278225469529447, 0.6436049236438003],
    [3000, 7, 0.5606364495719868, 0.49079063118183164, 0.6246889570521145],
  ]);
});

test('medians and their limits are those of survfit', (t) => {
  const median = (times: readonly EventTime[]) => {
    const { median: middle, lower, upper } = medianOf(kaplanMeier(times));
    return [middle, lower, upper];
  };
  t.deepEqual(median(men), [270, 210, 306]);
  t.deepEqual(median(women), [426, 345, 524]);
  t.deepEqual(median(observed), [2083, 1548, 2552]);
  t.deepEqual(median(levamisole), [2152, 1509, null]);
  t.deepEqual(median(withFluorouracil), [null, 2725, null]);
  // a curve that is level at one half
  t.is(median(tableOf('1 2 3 4 5+ 6'))[0], 3.5);
  t.is(median(tableOf('1 2 3 4'))[0], 2.5);
  t.deepEqual(median([]), [null, null, null]);
});

test('log-rank tests of two and of three groups are those of survdiff', (t) => {
  const agree = (
    groups: readonly (readonly EventTime[])[],
    statistic: number,
    degrees: number,
    p: number,
  ) => {
    const found = logRank(groups)!;
    t.is(found.degrees, degrees);
    t.true(Math.abs(found.statistic - statistic) < 1e-9, String(found.statistic));
    t.true(Math.abs(found.p - p) < 1e-9, String(found.p));
  };
  agree([men, women], 10.326741954885632, 1, 0.0013111645203554882);
  agree([women, men], 10.326741954885632, 1, 0.0013111645203554882);
  agree([observed, levamisole, withFluorouracil], 11.683092710639166, 2, 0.0029043479975860982);
  // a group in which nobody is left does not count
  agree([men, [], women], 10.326741954885632, 1, 0.0013111645203554882);
});

test('what cannot be compared has no log-rank test', (t) => {
  t.is(logRank([]), null);
  t.is(logRank([men]), null);
  t.is(logRank([men, []]), null);
  t.is(logRank([tableOf('5+ 6+'), tableOf('7+')]), null);
  t.is(logRank([men, men])!.statistic, 0);
});

test('a curve has no height after its end', (t) => {
  const curve = kaplanMeier(tableOf('2 4+'));
  t.deepEqual(
    [0, 2, 3, 4, 4.5].map((time) => heightAt(curve, time)?.survival ?? null),
    [1, 0.5, 0.5, 0.5, null],
  );
  t.is(heightAt([], 0), null);
});

const tables = fc
  .uniqueArray(fc.record({ time: fc.nat(30), events: fc.nat(3), censored: fc.nat(3) }), {
    selector: ({ time }) => time,
    maxLength: 12,
  })
  .map((all) =>
    all.filter(({ events, censored }) => events + censored > 0).sort((one, other) => one.time - other.time),
  );

test('without censoring survival is the share that lives longer, and it never rises', (t) => {
  fc.assert(
    fc.property(tables, (times) => {
      const died = times.map((one) => ({ ...one, events: one.events + one.censored, censored: 0 }));
      for (const { time, survival, atRisk } of kaplanMeier(died)) {
        t.true(Math.abs(survival - atRiskAt(died, time + 1) / sizeOf(died)) < 1e-12);
        t.is(atRisk, atRiskAt(died, time));
      }
      const curve = kaplanMeier(times);
      t.true(curve.every(({ survival }, at) => survival <= (curve[at - 1]?.survival ?? 1)));
      for (const { survival, lower, upper } of curve)
        t.true(lower === null || (lower <= survival + 1e-12 && upper! >= survival - 1e-12));
    }),
    { numRuns: runs(300) },
  );
});

test('the log-rank statistic of two groups is (O - E)² / V by the textbook', (t) => {
  fc.assert(
    fc.property(tables, tables, (one, other) => {
      let [excess, variance] = [0, 0];
      for (const time of new Set([...one, ...other].map((each) => each.time))) {
        const [n, m] = [atRiskAt(one, time), atRiskAt(other, time)];
        const [d, e] = [one, other].map((times) => times.find((each) => each.time === time)?.events ?? 0);
        excess += d! - ((d! + e!) * n) / (n + m);
        if (n + m > 1) variance += (n * m * (d! + e!) * (n + m - d! - e!)) / ((n + m) ** 2 * (n + m - 1));
      }
      const found = logRank([one, other]);
      if (variance > 1e-9)
        t.true(Math.abs(found!.statistic - excess ** 2 / variance) < 1e-8 * (1 + found!.statistic));
      else t.is(found, null);
    }),
    { numRuns: runs(300) },
  );
});
