/** Lifts stored facts of older versions, on their JSON, one version at a time. */
@NullMarked
package dev.chargehand.internal.journal.upcast;

import org.jspecify.annotations.NullMarked;
