/** The agents of a {@code chargehand.yaml} with their models, tools and documents, and the store that it names. */
@NullMarked
package dev.chargehand.config.crew;

import org.jspecify.annotations.NullMarked;
