/**
 * What a reader can do on the page: plus, minus and 0 zoom the timeline, a slash goes to the first search field, and
 * a search hides the rows that lack its words. Without it, everything is shown, too. Whatever puts other content on
 * the page says so with a `wisp-shown` event.
 */
export const PAGE_SCRIPT = `
"use strict";
(() => {
  const ZOOM_MAX = 256;
  let zoom = 1;
  const zoomTo = (to) => {
    const chart = document.getElementById("chart");
    if (chart === null) return;
    const box = chart.parentElement;
    const middle = (box.scrollLeft + box.clientWidth / 2) / (box.clientWidth * zoom);
    zoom = Math.min(ZOOM_MAX, Math.max(1, to));
    chart.setAttribute("width", zoom * 100 + "%");
    box.scrollLeft = middle * box.clientWidth * zoom - box.clientWidth / 2;
  };
  const search = (field) => {
    const words = field.value.toLowerCase().split(/\\s+/u);
    const rows = document.getElementById(field.dataset.of).tBodies[0].rows;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  };
  document.addEventListener("input", ({ target }) => {
    if (target.matches(".filter")) search(target);
  });
  document.addEventListener("wisp-shown", () => {
    document.getElementById("chart")?.setAttribute("width", zoom * 100 + "%");
    document.querySelectorAll(".filter").forEach(search);
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === "Escape" && isTyping) {
      event.target.value = "";
      search(event.target);
      event.target.blur();
    }
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") zoomTo(zoom * 2);
    else if (event.key === "-") zoomTo(zoom / 2);
    else if (event.key === "0") zoomTo(1);
    else if (event.key === "/") document.querySelector(".filter")?.focus();
    else return;
    event.preventDefault();
  });
})();
`;
