/** The custom editor of experiments, as the manifest names it. */
export const formViewType = 'genenv.experiment';
