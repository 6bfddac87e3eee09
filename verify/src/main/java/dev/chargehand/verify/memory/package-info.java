/** Kills processes that edit working memory, talk with recall, and index threads that are deleted meanwhile. */
@NullMarked
package dev.chargehand.verify.memory;

import org.jspecify.annotations.NullMarked;
