/** Placeholder until the page is built. */
document.body.dataset['page'] = 'compare';
