/** The forms in which facts and messages are stored: records with literal keys, and nothing else has them. */
@NullMarked
package dev.chargehand.internal.journal.stored;

import org.jspecify.annotations.NullMarked;
