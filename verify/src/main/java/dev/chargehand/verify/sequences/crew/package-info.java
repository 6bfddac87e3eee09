/** The agents and workflows of random sequences, and the models that follow the plan in a prompt. */
@NullMarked
package dev.chargehand.verify.sequences.crew;

import org.jspecify.annotations.NullMarked;
