/**
 * The agents of a {@code chargehand.yaml}: reads the file, with exact messages about what is wrong, and builds its agents
 * with their models, tools, documents and store.
 */
@NullMarked
package dev.chargehand.config;

import org.jspecify.annotations.NullMarked;
