/** The look of the report's page: light or dark as the system is, on a desk or a phone, and on paper. */
export const PAGE_STYLE = `
:root{--bg:#fff;--text:#1c2024;--faint:#667079;--line:#d8dde2;--soft:#f4f6f8;--good:#2b7a3d;--bad:#c3372c;--ask:#9a6700;--link:#2463b8;--stop:#8a939b;--drain:#dbe7f6;--hold:#f6dcb4}
@media (prefers-color-scheme:dark){:root{--bg:#14171a;--text:#e3e7ea;--faint:#98a2ab;--line:#30363c;--soft:#1c2125;--good:#56b870;--bad:#f0776c;--ask:#e0ae4c;--link:#7fb1f2;--stop:#727b83;--drain:#233349;--hold:#4b3b1c}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main{max-width:1200px;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.7rem;margin:0 0 .3rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.2rem 0 .7rem}
code{font:.88em ui-monospace,monospace;overflow-wrap:anywhere}
.headline{font-size:1.05rem;margin:.2rem 0 1rem;overflow-wrap:anywhere}
.good{color:var(--good)}.bad{color:var(--bad)}.ask{color:var(--ask)}.faint{color:var(--faint)}
.strong{font-weight:600}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.8rem 1.5rem;margin:0}
.facts dt{color:var(--faint);font-size:.85em}
.facts dd{margin:0;overflow-wrap:anywhere}
.troubles{padding-left:1.1rem;margin:0}
.troubles li{overflow-wrap:anywhere;margin:.2rem 0}
.troubles time{color:var(--faint);font-variant-numeric:tabular-nums}
.timeline{display:flex;border:1px solid var(--line);border-radius:6px;background:var(--soft)}
.lane-names{flex:none;padding-top:24px;border-right:1px solid var(--line)}
.lane-name{display:block;height:44px;line-height:44px;padding:0 .7rem;font-size:.85em;color:var(--faint)}
.chart-scroll{overflow-x:auto;flex:1;min-width:0}
.chart{display:block}
.chart text{fill:var(--faint);font-size:11px}
.chart .last text{text-anchor:end}
.chart line{stroke:var(--line)}
.chart rect{stroke-width:1;vector-effect:non-scaling-stroke}
rect.drain,.swatch.drain{fill:var(--drain);background:var(--drain);stroke:none}
rect.hold,.swatch.hold{fill:var(--hold);background:var(--hold);stroke:none}
rect.ended,.swatch.ended{fill:var(--good);stroke:var(--good);background:var(--good)}
rect.failed,.swatch.failed{fill:var(--bad);stroke:var(--bad);background:var(--bad)}
rect.stopped,.swatch.stopped{fill:var(--stop);stroke:var(--stop);background:var(--stop)}
rect.needs-input,rect.blocked,.swatch.needs-input{fill:var(--ask);stroke:var(--ask);background:var(--ask)}
rect.open,.swatch.open{fill:var(--link);stroke:var(--link);background:var(--link)}
.mark{fill:var(--faint);stroke:var(--soft)}
.mark.good{fill:var(--good)}.mark.bad{fill:var(--bad)}.mark.ask{fill:var(--ask)}.mark.commits,.mark.person{fill:var(--link)}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;list-style:none;padding:0;margin:.6rem 0 0;font-size:.85em;color:var(--faint)}
.swatch{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.4em}
.filter{width:100%;max-width:22rem;margin:0 0 .5rem;padding:.35rem .6rem;font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line);border-radius:6px}
.table{margin-bottom:1.4rem}
.table-scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.93em}
th,td{text-align:left;vertical-align:top;padding:.35rem .7rem .35rem 0;border-bottom:1px solid var(--line)}
th{color:var(--faint);font-weight:500;white-space:nowrap}
td{overflow-wrap:break-word}
td code{white-space:nowrap}
td.strong,td:has(details){min-width:11rem;overflow-wrap:anywhere}
td p{margin:.4rem 0;white-space:pre-wrap}
summary{cursor:pointer}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
footer{margin-top:3rem;font-size:.85em}
@media (max-width:600px){main{padding:1rem .7rem 2rem}.lane-name{padding:0 .4rem;font-size:.75em}}
@media print{.filter{display:none}}
`;
