// Filters the list of rules by words, format and severity; index.html?words=FTE begins with these words. Without this
// script, the page shows the whole list and no filter.
(function () {
    'use strict';
    const field = id => document.getElementById(id);
    const rules = Array.from(document.querySelectorAll('.rules > li'), item => ({
        item,
        text: (item.textContent + ' ' + item.dataset.text).toLowerCase(),
        formats: item.dataset.formats.split(', '),
        levels: Array.from(item.querySelectorAll('.level'), level => level.textContent),
    }));

    function show() {
        const words = field('words').value.toLowerCase().split(/\s+/);
        const format = field('format').value, severity = field('severity').value;
        let count = 0;
        for (const rule of rules) {
            const wanted = words.every(word => rule.text.includes(word)) && (format === '' || rule.formats.includes(format)) &&
                (severity === '' || rule.levels.includes(severity));
            rule.item.hidden = !wanted;
            count += wanted;
        }
        for (const section of document.querySelectorAll('section'))
            section.hidden = section.querySelector('li:not([hidden])') === null;
        field('count').textContent = count + ' of ' + rules.length + ' rules';
    }

    const asked = new URLSearchParams(location.search);
    for (const id of ['words', 'format', 'severity']) {
        field(id).value = asked.get(id) || '';
        field(id).addEventListener('input', show);
    }
    field('filter').hidden = false;
    show();
})();
