/** What the live page has beside the report: the state of the connection, and the sessions. */
export const LIVE_STYLE = `
.live{display:grid;grid-template:auto 1fr/16rem minmax(0,1fr);min-height:100vh}
.bar{grid-column:1/-1;position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:0 1rem;padding:.4rem 1rem;background:var(--soft);border-bottom:1px solid var(--line);font-size:.9em}
#live-state::before{content:"";display:inline-block;width:.6em;height:.6em;border-radius:50%;margin-right:.5em;background:var(--stop)}
#live-state.good::before{background:var(--good)}#live-state.ask::before{background:var(--ask)}#live-state.bad::before{background:var(--bad)}
#sessions{border-right:1px solid var(--line);padding:1rem .5rem}
#sessions ul{list-style:none;margin:0;padding:0;position:sticky;top:3rem;max-height:calc(100vh - 4rem);overflow-y:auto}
#sessions button{display:flex;flex-wrap:wrap;gap:0 .6rem;width:100%;padding:.4rem .6rem;font:inherit;font-size:.9em;text-align:left;color:inherit;background:none;border:1px solid transparent;border-radius:6px;cursor:pointer}
#sessions button:hover{background:var(--soft)}
#sessions button[aria-current=true]{background:var(--soft);border-color:var(--line)}
#sessions .name{width:100%;font-weight:600;overflow-wrap:anywhere}
.live main{width:100%}
.live main:focus{outline:none}
@media (max-width:800px){
.live{grid-template:auto auto 1fr/minmax(0,1fr)}
#sessions{border-right:0;border-bottom:1px solid var(--line);padding:.4rem}
#sessions ul{position:static;display:flex;max-height:none;overflow-x:auto}
#sessions li{flex:none;max-width:80vw}
}
@media print{.bar,#sessions{display:none}}
`;
