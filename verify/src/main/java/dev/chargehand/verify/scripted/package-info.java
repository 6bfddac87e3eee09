/** Models that are functions of the conversation. */
@NullMarked
package dev.chargehand.verify.scripted;

import org.jspecify.annotations.NullMarked;
