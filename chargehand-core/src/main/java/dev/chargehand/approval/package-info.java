/** What a run waits for from a human or from the application, and the answers to it. */
@NullMarked
package dev.chargehand.approval;

import org.jspecify.annotations.NullMarked;
